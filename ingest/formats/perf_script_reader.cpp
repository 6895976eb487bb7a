#include "ingest/formats/format.h"
#include "ingest/formats/line_reader.h"
#include "ingest/formats/perf_names.h"
#include "ingest/formats/perf_script_line.h"
#include "ingest/formats/profile_builder.h"

#include <algorithm>
#include <array>
#include <optional>

namespace hearth {

namespace {

std::span<const std::uint8_t> bytesOf(std::string_view text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

/// Reads what `perf script` printed. A frame's line is taken apart the first time it is seen.
class PerfScriptReader {
public:
    PerfScriptReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kPerfScript.name, ProfileBuilder::Delivery::InParts),
          m_lines(input, m_builder.watch(), m_builder.losses())
    {}

    Result<Batch> read();

private:
    void take(std::string_view line);
    void takeComment(std::string_view line);
    bool takeHead(std::string_view line);
    void begin(const PerfScriptHead &head);
    bool takeFrame(std::string_view line);
    void takePlace(const PerfScriptPlace &place);
    void addFrame(const PerfScriptFrame &parsed);
    void endSample();
    ContextId contextOf(const PerfScriptHead &head);
    std::size_t blockOf(const PerfScriptHead &head);

    InputStream &m_input;
    ProfileBuilder m_builder;
    LineReader m_lines;
    std::size_t m_parts = 0; ///< that were handed over when the ids at hand were made

    static constexpr std::uint32_t kNoWholeFrame = DigestMap::kNew - 1;
    DigestMap m_frameOfLine; ///< or kNoWholeFrame: an inlined one, or a place
    DigestMap m_contextOfHead;
    DigestMap m_blockOfEvent;
    std::string m_key;

    // The sample at hand.
    bool m_isOpen = false;
    std::size_t m_block = 0;
    ContextId m_context;
    std::int64_t m_time = 0;
    std::int64_t m_value = 1;
    std::vector<FrameId> m_frames;
    std::vector<Line> m_inlined; ///< in the frame that comes next
};

Result<Batch> PerfScriptReader::read()
{
    std::string_view line;
    while (m_lines.next(line)) {
        take(line);
        if (!m_isOpen && !m_builder.goesOn(m_lines.position(), [this] { return m_lines.place(); }))
            break;
        if (m_parts != m_builder.parts()) {
            m_parts = m_builder.parts();
            m_frameOfLine = m_contextOfHead = DigestMap();
        }
    }
    endSample();
    return m_builder.finish(m_input);
}

void PerfScriptReader::take(std::string_view line)
{
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
        return endSample();
    if (line.starts_with('#'))
        return takeComment(line);
    if (!line.starts_with('\t') && takeHead(line))
        return;
    if (!m_isOpen && line.front() != ' ' && line.front() != '\t') { // only the comm was asked for
        PerfScriptHead head;
        head.thread = line.substr(0, line.find_last_not_of(" \t\r") + 1);
        return begin(head);
    }
    if (!m_isOpen || (line.front() != ' ' && line.front() != '\t') || !takeFrame(line))
        m_builder.losses().add(Loss::UnreadableLines, m_lines.place() + " is neither a sample nor a frame");
}

void PerfScriptReader::takeComment(std::string_view line)
{
    for (const std::string_view wanted : {"# hostname :", "# cmdline :"})
        if (line.starts_with(wanted))
            m_builder.batch().origin.comments.emplace_back(line.substr(2));
}

bool PerfScriptReader::takeHead(std::string_view line)
{
    const auto head = parsePerfScriptHead(line);
    if (!head)
        return false;
    endSample();
    const std::string_view record = head->event.empty() ? head->rest : head->event;
    if (record.starts_with("PERF_RECORD_")) {
        if (record.starts_with("PERF_RECORD_LOST"))
            m_builder.losses().add(Loss::DroppedBySender, m_lines.place() + ": perf lost samples");
        return true;
    }
    begin(*head);
    const auto frame = parsePerfScriptFrame(head->rest);
    if (frame && frame->hasAddress)
        addFrame(*frame);
    else if (!head->rest.empty())
        m_builder.losses().add(Loss::UnknownFields, m_lines.place() + ": the fields of a tracepoint");
    return true;
}

void PerfScriptReader::begin(const PerfScriptHead &head)
{
    m_isOpen = true;
    m_block = blockOf(head);
    m_context = contextOf(head);
    m_time = head.timeNs.value_or(0);
    m_value = head.period.value_or(1);
}

bool PerfScriptReader::takeFrame(std::string_view line)
{
    line.remove_prefix(line.find_first_not_of(" \t"));
    std::uint32_t &known = m_frameOfLine[digestOf(bytesOf(line))];
    if (known < kNoWholeFrame && m_inlined.empty()) {
        m_frames.emplace_back(known);
        return true;
    }
    if (known == DigestMap::kNew)
        known = kNoWholeFrame;
    if (const auto place = parsePerfScriptPlace(line)) {
        takePlace(*place);
        return true;
    }
    const auto parsed = parsePerfScriptFrame(line);
    const bool isUnknownPlace = (line.find(' ') == std::string_view::npos && line.ends_with(']')) ||
                                line.starts_with("??") || line.starts_with(':');
    if (!parsed)
        return isUnknownPlace;
    const bool isWhole = m_inlined.empty() && !parsed->isInlined;
    addFrame(*parsed);
    if (isWhole)
        known = m_frames.back().value;
    return true;
}

/// Inlined frames are printed in front of the one that they are in.
void PerfScriptReader::addFrame(const PerfScriptFrame &parsed)
{
    if (!parsed.function.empty())
        m_inlined.push_back(
            {.line = 0, .function = m_builder.function({.name = parsed.function}), .column = 0});
    if (parsed.isInlined)
        return;
    Frame frame;
    frame.address = parsed.address;
    frame.kind = m_builder.text(perf::kindOf(parsed.binary));
    if (!parsed.binary.empty())
        frame.mapping = m_builder.mapping({.path = parsed.binary});
    m_frames.push_back(m_builder.frame(frame, m_inlined));
    m_inlined.clear();
}

/// Says where the frame before is in its source.
void PerfScriptReader::takePlace(const PerfScriptPlace &place)
{
    const Batch &batch = m_builder.batch();
    if (!m_inlined.empty()) {
        m_inlined.back().line = place.line;
        return;
    }
    if (m_frames.empty() || batch.frames[m_frames.back().value].lineCount == 0)
        return;
    const Frame frame = batch.frames[m_frames.back().value];
    std::vector<Line> lines(batch.lines.begin() + frame.lineBegin,
                            batch.lines.begin() + frame.lineBegin + frame.lineCount);
    const StringId name = batch.functions[lines.back().function.value].name;
    lines.back().function = m_builder.function({.name = batch.strings[name.value], .file = place.file});
    lines.back().line = place.line;
    m_frames.back() = m_builder.frame(frame, lines);
}

void PerfScriptReader::endSample()
{
    if (m_isOpen && !m_inlined.empty()) // the frame that they are in is missing
        m_frames.push_back(m_builder.frame(Frame(), m_inlined));
    if (m_isOpen)
        m_builder.add(m_block, m_builder.path(m_frames), m_context, m_time, m_value);
    m_isOpen = false;
    m_frames.clear();
    m_inlined.clear();
}

ContextId PerfScriptReader::contextOf(const PerfScriptHead &head)
{
    m_key.assign(head.thread);
    for (const auto &number : {head.process, head.threadId, head.cpu})
        m_key.append(1, '\0').append(number ? std::to_string(*number) : "");
    std::uint32_t &known = m_contextOfHead[digestOf(bytesOf(m_key))];
    if (known != DigestMap::kNew)
        return ContextId(known);
    std::vector<Attribute> resource;
    std::vector<Attribute> sample{m_builder.attribute("thread.name", head.thread)};
    if (head.process)
        resource.push_back(m_builder.attribute("process.pid", *head.process));
    if (head.threadId)
        sample.push_back(m_builder.attribute("thread.id", *head.threadId));
    if (head.cpu)
        sample.push_back(m_builder.attribute("cpu.logical_number", *head.cpu));
    const ContextId context = m_builder.context(m_builder.attributes(resource), m_builder.attributes(sample));
    known = context.value;
    return context;
}

/// Every event is a series of its own: of its periods, or of its samples where they are not printed.
std::size_t PerfScriptReader::blockOf(const PerfScriptHead &head)
{
    m_key.assign(head.event).append(1, head.timeNs ? 't' : '-').append(1, head.period ? 'p' : '-');
    std::uint32_t &known = m_blockOfEvent[digestOf(bytesOf(m_key))];
    if (known == DigestMap::kNew) {
        const std::string_view type = head.event.empty() ? std::string_view("samples") : head.event;
        const std::string_view unit = head.period ? perf::unitOf(head.event) : "count";
        known = static_cast<std::uint32_t>(m_builder.block(
            {.series = {{std::string(type), std::string(unit)}}, .hasTimes = head.timeNs.has_value()}));
    }
    return known;
}

Result<Batch> readPerfScript(InputStream &input, const ReadOptions &options)
{
    return PerfScriptReader(input, options).read();
}

} // namespace

const Format kPerfScript{.name = "perf script", .read = readPerfScript};

} // namespace hearth
