#include "ingest/formats/digest_map.h"
#include "ingest/formats/folded_line.h"
#include "ingest/formats/format.h"
#include "ingest/formats/text_encoding.h"
#include "model/store/stack_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

namespace hearth {

namespace {

constexpr std::size_t kLongestLine = std::size_t(64) << 20;
constexpr std::string_view kNameless = "[unknown]";

/// Reads lines into a batch. A stack's text is taken apart the first time it is seen.
class FoldedReader {
public:
    FoldedReader(InputStream &input, const ReadOptions &options) : m_input(input), m_options(options) {}

    Result<Batch> read();

private:
    bool readLine(std::string_view &line);
    void skipLongLine();
    bool checkLimits();
    void take(std::string_view line);
    void addSample(const FoldedLine &line);
    std::int64_t whole(double count);
    StackId stackOf(std::string_view text);
    FrameId frameOf(std::span<const FoldedFrame> chain);
    FunctionId functionOf(std::string_view name);
    Result<Batch> finish();

    InputStream &m_input;
    const ReadOptions &m_options;
    Batch m_batch;
    TextEncoding m_encoding = TextEncoding::Bytes;
    std::string m_decoded; ///< the line at hand, where the input is UTF-16
    std::size_t m_scanned = 0;

    StackTree m_stacks;
    DigestMap m_stackOfText;
    DigestMap m_frameOfChain;
    DigestMap m_functionOfName;
    StringId m_kernel, m_jit;

    std::optional<SampleRows> m_rows;
    SampleBlock m_block;
    std::size_t m_chunkBytes = 0;
    std::uint64_t m_lineNumber = 0;
    std::uint64_t m_samples = 0;
    std::optional<std::string> m_refusal;
    bool m_hasEnded = false;
};

std::span<const std::uint8_t> bytesOf(std::string_view text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

Result<Batch> FoldedReader::read()
{
    m_kernel = m_batch.addString("kernel");
    m_jit = m_batch.addString("jit");
    m_input.ensure(4);
    m_encoding = encodingOf(m_input.window());
    m_input.consume(markLength(m_input.window(), m_encoding));
    std::string_view line;
    while (!m_hasEnded && readLine(line)) {
        ++m_lineNumber;
        take(line);
        if (m_lineNumber % 4096 == 0 && !checkLimits())
            break;
    }
    if (m_refusal)
        return failure(*m_refusal);
    if (const auto fault = m_input.fault())
        m_batch.losses.add(fault->loss, fault->message);
    return finish();
}

/// @param line valid until the next call. @return false at the end
bool FoldedReader::readLine(std::string_view &line)
{
    if (m_scanned > 0) { // the line before
        m_input.consume(m_scanned);
        m_scanned = 0;
    }
    const bool isWide = m_encoding == TextEncoding::Utf16Little || m_encoding == TextEncoding::Utf16Big;
    const std::size_t unit = isWide ? 2 : 1;
    const std::size_t low = m_encoding == TextEncoding::Utf16Big ? 1 : 0;
    std::size_t at = 0;
    for (;;) {
        const auto window = m_input.window();
        if (!isWide) {
            const void *end =
                at < window.size() ? std::memchr(window.data() + at, '\n', window.size() - at) : nullptr;
            at = end != nullptr
                     ? static_cast<std::size_t>(static_cast<const std::uint8_t *>(end) - window.data())
                     : window.size();
        } else {
            while (at + 2 <= window.size() && !(window[at + low] == '\n' && window[at + 1 - low] == 0))
                at += 2;
        }
        if (at + unit <= window.size()) {
            m_scanned = at + unit;
            break;
        }
        if (at > kLongestLine) {
            skipLongLine();
            at = 0;
            continue;
        }
        if (m_input.extend())
            continue;
        at = m_input.window().size();
        m_scanned = at;
        if (at == 0)
            return false;
        break;
    }
    const auto bytes = m_input.window().first(at);
    if (isWide) {
        m_decoded.clear();
        appendUtf16(m_decoded, bytes, m_encoding);
        line = m_decoded;
    } else {
        line = {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
    }
    return true;
}

void FoldedReader::skipLongLine()
{
    ++m_lineNumber;
    m_batch.losses.add(Loss::OversizedFields,
                       "line " + std::to_string(m_lineNumber) + " is longer than 64 MiB");
    for (;;) {
        const auto window = m_input.window();
        const auto end = std::ranges::find(window, std::uint8_t('\n'));
        const bool isFound = end != window.end();
        m_input.consume(static_cast<std::size_t>(end - window.begin()) + (isFound ? 1 : 0));
        if (isFound || !m_input.extend())
            return;
    }
}

bool FoldedReader::checkLimits()
{
    if (m_options.stop.stop_requested()) {
        m_refusal = m_options.name + ": cancelled";
        return false;
    }
    if (m_options.progress)
        m_options.progress(m_input.position());
    const std::size_t bytes = m_chunkBytes + m_stacks.bytes() + m_stackOfText.bytes() +
                              m_batch.arena.bytes() +
                              m_batch.frames.capacity() * (sizeof(Frame) + sizeof(Line));
    if (bytes <= m_options.memoryBudget)
        return true;
    m_batch.losses.add(Loss::SamplesOverBudget, "memory budget of " +
                                                    std::to_string(m_options.memoryBudget >> 20) +
                                                    " MiB reached at line " + std::to_string(m_lineNumber) +
                                                    "; the rest was not read");
    return false;
}

void FoldedReader::take(std::string_view line)
{
    if (line.empty() || line.front() == '#' || line == "\r")
        return;
    const std::optional<FoldedLine> parsed = parseFoldedLine(line);
    if (!parsed || parsed->stack.find('\0') != std::string_view::npos) {
        m_batch.losses.add(Loss::UnreadableLines, "line " + std::to_string(m_lineNumber));
        return;
    }
    addSample(*parsed);
}

void FoldedReader::addSample(const FoldedLine &line)
{
    // The first line decides whether there are two counts, as difffolded writes them.
    if (!m_rows) {
        const StringId count = m_batch.addString("count");
        const StringId samples = m_batch.addString("samples");
        if (line.second)
            m_block.series.push_back({m_batch.addString("baseline"), count});
        m_block.series.push_back({samples, count});
        m_rows.emplace(m_block.series.size());
    }
    std::array<std::int64_t, 2> values{};
    if (m_block.series.size() == 2)
        values = {whole(line.count), whole(line.second.value_or(0))};
    else
        values[0] = whole(line.second.value_or(line.count));
    // Where there is but one count, a number before it belongs to the name.
    const StackId stack =
        stackOf(m_block.series.size() == 1 && line.second ? line.stackWithNumber : line.stack);
    m_rows->add(stack, ContextId(), LinkId(), 0, std::span(values).first(m_block.series.size()));
    ++m_samples;
    if (m_rows->size() == SampleChunk::kRows) {
        m_chunkBytes += m_block.chunks.emplace_back(*m_rows).bytes();
        m_rows->clear();
    }
}

std::int64_t FoldedReader::whole(double count)
{
    constexpr double kLimit = 9.2e18;
    const double rounded = std::clamp(std::round(count), -kLimit, kLimit);
    if (rounded != count)
        m_batch.losses.add(Loss::RoundedValues);
    return static_cast<std::int64_t>(rounded);
}

StackId FoldedReader::stackOf(std::string_view text)
{
    std::uint32_t &stack = m_stackOfText[digestOf(bytesOf(text))];
    if (stack != DigestMap::kNew)
        return StackId(stack);
    StackId node;
    std::vector<FoldedFrame> chain; // outermost first: a function and what was inlined into it
    const auto flush = [&] {
        if (!chain.empty())
            node = m_stacks.child(node, frameOf(chain));
        chain.clear();
    };
    for (std::string_view rest = text;;) {
        const std::size_t end = rest.find(';');
        FoldedFrame frame = parseFoldedFrame(rest.substr(0, end));
        if (frame.name.empty())
            frame.name = kNameless;
        if (!frame.isInlined)
            flush();
        chain.push_back(frame);
        if (end == std::string_view::npos)
            break;
        rest.remove_prefix(end + 1);
    }
    flush();
    stack = node.value;
    return node;
}

FrameId FoldedReader::frameOf(std::span<const FoldedFrame> chain)
{
    Frame frame;
    frame.kind = chain.front().kind == "kernel" ? m_kernel : chain.front().kind == "jit" ? m_jit : StringId();
    std::vector<Line> lines;
    for (std::size_t i = chain.size(); i-- > 0;)
        lines.push_back({.line = 0, .function = functionOf(chain[i].name), .column = 0});
    std::vector<std::uint32_t> key{frame.kind.value};
    for (const Line &line : lines)
        key.push_back(line.function.value);
    const std::span keyBytes(reinterpret_cast<const std::uint8_t *>(key.data()), key.size() * sizeof(key[0]));
    std::uint32_t &known = m_frameOfChain[digestOf(keyBytes)];
    if (known == DigestMap::kNew) {
        known = static_cast<std::uint32_t>(m_batch.frames.size());
        frame.lineBegin = static_cast<std::uint32_t>(m_batch.lines.size());
        frame.lineCount = static_cast<std::uint32_t>(lines.size()) & 0x7fffffffU;
        m_batch.lines.insert(m_batch.lines.end(), lines.begin(), lines.end());
        m_batch.frames.push_back(frame);
    }
    return FrameId(known);
}

FunctionId FoldedReader::functionOf(std::string_view name)
{
    std::uint32_t &known = m_functionOfName[digestOf(bytesOf(name))];
    if (known == DigestMap::kNew) {
        known = static_cast<std::uint32_t>(m_batch.functions.size());
        Function function;
        function.name = m_batch.addString(name);
        m_batch.functions.push_back(function);
    }
    return FunctionId(known);
}

Result<Batch> FoldedReader::finish()
{
    if (m_samples == 0) {
        const auto &details = m_batch.losses.details();
        return failure(m_options.name + ": no stacks in it" +
                       (details.empty() ? "" : ": " + details.front()));
    }
    if (m_rows->size() > 0)
        m_block.chunks.emplace_back(*m_rows);
    const ColumnView<StackNode> stacks = m_stacks.view();
    m_batch.stacks.assign(stacks.begin(), stacks.end());
    m_batch.blocks.push_back(std::move(m_block));
    m_batch.origin.name = m_options.name;
    m_batch.origin.format = kFolded.name;
    return std::move(m_batch);
}

Result<Batch> readFolded(InputStream &input, const ReadOptions &options)
{
    return FoldedReader(input, options).read();
}

} // namespace

const Format kFolded{.name = "folded", .read = readFolded};

} // namespace hearth
