#include "ingest/formats/format.h"
#include "ingest/formats/line_reader.h"
#include "ingest/formats/parent_links.h"
#include "ingest/formats/profile_builder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

// What heaptrack writes (unpacked): a record a line, numbers in hexadecimal, rows of tables counted from 1
// on.
//
//   v VERSION FILEVERSION
//   X COMMAND
//   s LENGTH TEXT                         a string
//   i IP MODULE [FUNCTION [FILE LINE] (FUNCTION FILE LINE)…]   an address; what was inlined, innermost first
//   t IP CALLER                           a stack
//   a SIZE STACK                          a kind of allocation
//   + ALLOCATION      - ALLOCATION        one made, one freed
//   c MS              R PAGES             the time, and how much memory the process takes

namespace hearth {

namespace {

/// Takes hexadecimal numbers off a line.
class HexWords {
public:
    explicit HexWords(std::string_view text) : m_rest(text) {}

    std::optional<std::uint64_t> next()
    {
        m_rest.remove_prefix(std::min(m_rest.find_first_not_of(' '), m_rest.size()));
        std::uint64_t number = 0;
        const auto parsed = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), number, 16);
        if (parsed.ec != std::errc())
            return std::nullopt;
        m_rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - m_rest.data()));
        return number;
    }
    std::string_view rest() const { return m_rest.substr(std::min<std::size_t>(1, m_rest.size())); }

private:
    std::string_view m_rest;
};

/// What was allocated by one stack. Sums of what is still there at the peak are brought up to date when the
/// next peak is reached: only of what has changed since the one before.
struct Allocated {
    std::int64_t count = 0;
    std::int64_t temporary = 0; ///< freed before anything else was allocated
    std::int64_t bytes = 0;
    std::int64_t leaked = 0;
    std::int64_t peak = 0;
    bool hasChanged = false;
};

class HeaptrackReader {
public:
    HeaptrackReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kHeaptrack.name, ProfileBuilder::Delivery::Whole),
          m_lines(input, m_builder.watch(), m_builder.losses())
    {}

    Result<Batch> read();

private:
    struct Kind {
        std::int64_t size = 0;
        std::uint32_t stack = 0;
    };

    bool take(char record, HexWords words);
    bool takeString(HexWords words);
    bool takeFrame(HexWords words);
    bool takeStack(HexWords words);
    bool takeKind(HexWords words);
    bool takeAllocation(HexWords words);
    bool takeFree(HexWords words);
    void change(std::uint32_t stack, std::int64_t bytes);
    void addPoint(std::string_view name, std::int64_t bytes);
    StringId string(std::uint64_t index);
    void addSamples();

    InputStream &m_input;
    ProfileBuilder m_builder;
    LineReader m_lines;
    std::vector<StringId> m_strings;
    std::vector<FrameId> m_frames;
    std::vector<TableNode> m_stacks;
    std::vector<Kind> m_kinds;
    std::vector<Allocated> m_allocated;   ///< by stack
    std::vector<std::uint32_t> m_changed; ///< since the peak
    std::optional<std::uint64_t> m_last;  ///< kind of the last allocation, if nothing came after it
    std::int64_t m_total = 0;
    std::int64_t m_peak = 0;
    std::int64_t m_timeMs = 0;
    std::int64_t m_pageBytes = 4096;
};

Result<Batch> HeaptrackReader::read()
{
    std::string_view line;
    while (m_builder.goesOn(m_lines.position(), [this] { return m_lines.place(); }) && m_lines.next(line)) {
        if (line.empty() || line.front() == '#')
            continue;
        if (!take(line.front(), HexWords(line.substr(1))))
            m_builder.losses().add(Loss::MalformedRecords, m_lines.place() + " cannot be understood");
    }
    if (!m_builder.watch().isCancelled())
        addSamples();
    return m_builder.finish(m_input);
}

bool HeaptrackReader::take(char record, HexWords words)
{
    switch (record) {
    case '+':
        return takeAllocation(words);
    case '-':
        return takeFree(words);
    case 's':
        return takeString(words);
    case 'i':
        return takeFrame(words);
    case 't':
        return takeStack(words);
    case 'a':
        return takeKind(words);
    case 'c':
        m_timeMs = static_cast<std::int64_t>(std::min<std::uint64_t>(words.next().value_or(0), 1ULL << 42));
        addPoint("heap", m_total);
        return true;
    case 'R':
        addPoint("resident",
                 static_cast<std::int64_t>(std::min<std::uint64_t>(words.next().value_or(0), 1ULL << 40)) *
                     m_pageBytes);
        return true;
    case 'I':
        m_pageBytes =
            static_cast<std::int64_t>(std::min<std::uint64_t>(words.next().value_or(4096), 1U << 22));
        return true;
    case 'X':
        m_builder.batch().origin.comments.emplace_back(words.rest());
        return true;
    case 'v':
    case 'A':
    case 'S':
        return true;
    default:
        return false;
    }
}

bool HeaptrackReader::takeString(HexWords words)
{
    const auto length = words.next();
    if (!length)
        return false;
    m_strings.push_back(m_builder.text(words.rest()));
    return true;
}

/// Rows are counted from 1 on; 0 is none.
StringId HeaptrackReader::string(std::uint64_t index)
{
    if (index == 0 || index > m_strings.size())
        return {};
    return m_strings[index - 1];
}

bool HeaptrackReader::takeFrame(HexWords words)
{
    const auto ip = words.next();
    const auto module = words.next();
    if (!ip || !module)
        return false;
    const auto text = [this](StringId id) { return m_builder.batch().strings[id.value]; };
    Frame frame;
    // Where the module was in memory is not written, so the address in its file is not known.
    if (const StringId path = string(*module); path != StringId())
        frame.mapping = m_builder.mapping({.path = text(path)});
    else
        frame.address = *ip;
    std::vector<Line> lines;
    while (const auto function = words.next()) {
        const std::uint64_t file = words.next().value_or(0);
        const std::uint64_t line = words.next().value_or(0);
        lines.push_back(
            {.line = static_cast<std::int64_t>(std::min<std::uint64_t>(line, 1U << 30)),
             .function = m_builder.function({.name = text(string(*function)), .file = text(string(file))}),
             .column = 0});
    }
    m_frames.push_back(m_builder.frame(frame, lines));
    return true;
}

bool HeaptrackReader::takeStack(HexWords words)
{
    const auto ip = words.next();
    const auto caller = words.next();
    if (!ip || !caller || *ip > m_frames.size() || *caller > m_stacks.size())
        return false;
    m_stacks.push_back(
        {.parent = *caller == 0 ? TableNode::kNoParent : static_cast<std::uint32_t>(*caller - 1),
         .frame = *ip == 0 ? FrameId::none() : m_frames[*ip - 1]});
    m_allocated.emplace_back();
    return true;
}

bool HeaptrackReader::takeKind(HexWords words)
{
    const auto size = words.next();
    const auto stack = words.next();
    if (!size || !stack || *stack == 0 || *stack > m_stacks.size() || *size > 1ULL << 60) {
        m_kinds.push_back({0, 0xffffffffU}); // those behind it keep their numbers
        return false;
    }
    m_kinds.push_back({static_cast<std::int64_t>(*size), static_cast<std::uint32_t>(*stack - 1)});
    return true;
}

bool HeaptrackReader::takeAllocation(HexWords words)
{
    const auto kind = words.next();
    if (!kind || *kind >= m_kinds.size() || m_kinds[*kind].stack >= m_stacks.size())
        return false;
    const Kind &of = m_kinds[*kind];
    Allocated &allocated = m_allocated[of.stack];
    std::int64_t bytes = 0;
    if (__builtin_add_overflow(allocated.bytes, of.size, &bytes) ||
        __builtin_add_overflow(m_total, of.size, &m_total))
        return false;
    ++allocated.count;
    allocated.bytes = bytes;
    change(of.stack, of.size);
    m_last = kind;
    if (m_total > m_peak) {
        m_peak = m_total;
        for (const std::uint32_t stack : m_changed) {
            m_allocated[stack].peak = m_allocated[stack].leaked;
            m_allocated[stack].hasChanged = false;
        }
        m_changed.clear();
    }
    return true;
}

bool HeaptrackReader::takeFree(HexWords words)
{
    const auto kind = words.next();
    if (!kind || *kind >= m_kinds.size() || m_kinds[*kind].stack >= m_stacks.size())
        return false;
    const Kind &of = m_kinds[*kind];
    if (m_last == kind)
        ++m_allocated[of.stack].temporary;
    m_last.reset();
    m_total -= of.size;
    change(of.stack, -of.size);
    return true;
}

void HeaptrackReader::change(std::uint32_t stack, std::int64_t bytes)
{
    Allocated &allocated = m_allocated[stack];
    allocated.leaked += bytes;
    if (!allocated.hasChanged)
        m_changed.push_back(stack);
    allocated.hasChanged = true;
}

void HeaptrackReader::addPoint(std::string_view name, std::int64_t bytes)
{
    Batch &batch = m_builder.batch();
    const StringId text = m_builder.text(name);
    auto known = std::ranges::find(batch.metrics, text, &Metric::name);
    if (known == batch.metrics.end()) {
        Metric metric;
        metric.name = text;
        metric.unit = m_builder.text("By");
        known = batch.metrics.insert(known, metric);
    }
    MetricPoint point;
    point.timeNs = static_cast<std::uint64_t>(m_timeMs) * 1'000'000;
    point.value = Number::of(bytes);
    point.metric = MetricId(static_cast<std::size_t>(known - batch.metrics.begin()));
    batch.points.rows.push_back(point);
}

void HeaptrackReader::addSamples()
{
    const std::vector<StackId> stacks = stacksOf(m_builder, m_stacks);
    const std::size_t block = m_builder.block({.series = {{"allocations", "count"},
                                                          {"temporary", "count"},
                                                          {"allocated", "bytes"},
                                                          {"leaked", "bytes"},
                                                          {"peak", "bytes"}}});
    m_builder.batch().origin.defaultSeries = "peak";
    for (std::size_t stack = 0; stack < stacks.size(); ++stack) {
        const Allocated &allocated = m_allocated[stack];
        if (allocated.count == 0)
            continue;
        const std::array<std::int64_t, 5> values{allocated.count, allocated.temporary, allocated.bytes,
                                                 allocated.leaked, allocated.peak};
        m_builder.add(block, stacks[stack], ContextId(), 0, values);
    }
}

Result<Batch> readHeaptrack(InputStream &input, const ReadOptions &options)
{
    return HeaptrackReader(input, options).read();
}

} // namespace

const Format kHeaptrack{.name = "heaptrack", .read = readHeaptrack};

} // namespace hearth
