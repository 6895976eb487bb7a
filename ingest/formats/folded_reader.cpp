#include "ingest/formats/digest_map.h"
#include "ingest/formats/folded_line.h"
#include "ingest/formats/format.h"
#include "ingest/formats/text_encoding.h"
#include "model/store/stack_tree.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

namespace hearth {

namespace {

constexpr std::size_t kLongestLine = std::size_t(64) << 20;
constexpr std::uint64_t kBytesBetweenChecks = std::uint64_t(256) << 10;
constexpr std::string_view kNameless = "[unknown]";

std::span<const std::uint8_t> bytesOf(std::string_view text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

/// A frame with async-profiler's two further endings: _[0] is Java that was interpreted, _[1] Java as its
/// first compiler left it.
FoldedFrame parseFrame(std::string_view text)
{
    FoldedFrame frame = parseFoldedFrame(text);
    if (text.size() > 4 && text.ends_with("_[0]"))
        frame = {text.substr(0, text.size() - 4), "interpreted", false};
    else if (text.size() > 4 && text.ends_with("_[1]"))
        frame = {text.substr(0, text.size() - 4), "c1", false};
    if (frame.name.empty())
        frame.name = kNameless;
    return frame;
}

/// How long the frame is that the stack begins with, together with what was inlined into it: "a;b_[i]".
std::size_t chainLength(std::string_view stack)
{
    std::size_t end = stack.find(';');
    while (end != std::string_view::npos) {
        const std::size_t next = stack.find(';', end + 1);
        if (!parseFoldedFrame(stack.substr(end + 1, next - end - 1)).isInlined)
            return end;
        end = next;
    }
    return stack.size();
}

/// A comment begins with '#', but so do names of Ruby's singleton classes: "#<Class:Job>#run;sleep 3".
bool isComment(std::string_view line)
{
    return line.starts_with('#') &&
           (line.size() == 1 || std::string_view(" \t\r#!").find(line[1]) != std::string_view::npos ||
            !parseFoldedLine(line).value_or(FoldedLine()).hasCount);
}

/// The first word behind a part of a line: the text of a number.
std::string_view wordBehind(std::string_view part, std::string_view line)
{
    line.remove_prefix(static_cast<std::size_t>(part.data() + part.size() - line.data()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    return line.substr(0, line.find_first_of(" \t\r"));
}

/// Reads lines into a batch. A stack's text is taken apart the first time it is seen.
class FoldedReader {
public:
    FoldedReader(InputStream &input, const ReadOptions &options) : m_input(input), m_options(options) {}

    Result<Batch> read();

private:
    bool readLine(std::string_view &line);
    bool findLineEnd(std::size_t &at) const;
    bool takeLastLine(std::size_t &size);
    void skipLongLine();
    bool isWide() const
    {
        return m_encoding == TextEncoding::Utf16Little || m_encoding == TextEncoding::Utf16Big;
    }
    std::size_t unit() const { return isWide() ? 2 : 1; }

    bool checkLimits();
    std::size_t bytes() const;
    void take(std::string_view line);
    void addSample(const FoldedLine &line, std::string_view text);
    std::int64_t whole(double count, std::string_view text);
    StackId stackOf(std::string_view text);
    FrameId frameOf(std::string_view chain);
    FunctionId functionOf(std::string_view name);
    StringId kindOf(std::string_view kind);
    Result<Batch> finish();

    InputStream &m_input;
    const ReadOptions &m_options;
    Batch m_batch;
    TextEncoding m_encoding = TextEncoding::Bytes;
    std::string m_decoded;     ///< the line at hand, where the input is UTF-16
    std::size_t m_scanned = 0; ///< length of the line at hand with its end, still in the window

    StackTree m_stacks;
    DigestMap m_stackOfText;
    DigestMap m_frameOfChain;
    DigestMap m_functionOfName;
    DigestMap m_stringOfKind;
    std::vector<FrameId> m_path;
    std::vector<FoldedFrame> m_chain;

    std::optional<SampleRows> m_rows;
    SampleBlock m_block;
    std::size_t m_chunkBytes = 0;
    std::uint64_t m_lineNumber = 0;
    std::uint64_t m_nextCheck = 0;
    std::optional<std::string> m_refusal;
    bool m_hasEnded = false;
};

Result<Batch> FoldedReader::read()
{
    m_input.ensure(4);
    m_encoding = encodingOf(m_input.window());
    m_input.consume(markLength(m_input.window(), m_encoding));
    std::string_view line;
    while (checkLimits() && readLine(line)) {
        ++m_lineNumber;
        take(line);
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
    m_input.consume(m_scanned); // the line before
    m_scanned = 0;
    std::size_t at = 0;
    while (!findLineEnd(at)) {
        if (at > kLongestLine) {
            skipLongLine();
            at = 0;
        } else if (!m_input.extend()) {
            if (!takeLastLine(at))
                return false;
            break;
        }
        if (m_hasEnded)
            return false;
    }
    m_scanned = std::min(at + unit(), m_input.window().size());
    const auto text = m_input.window().first(at);
    if (isWide()) {
        m_decoded.clear();
        appendUtf16(m_decoded, text, m_encoding);
        line = m_decoded;
    } else {
        line = {reinterpret_cast<const char *>(text.data()), text.size()};
    }
    return true;
}

/// Looks for the end of a line from `at` on, which is then there, or where to go on looking.
bool FoldedReader::findLineEnd(std::size_t &at) const
{
    const auto window = m_input.window();
    if (!isWide()) {
        const void *end =
            at < window.size() ? std::memchr(window.data() + at, '\n', window.size() - at) : nullptr;
        at = end != nullptr ? static_cast<std::size_t>(static_cast<const std::uint8_t *>(end) - window.data())
                            : window.size();
        return end != nullptr;
    }
    const std::size_t low = m_encoding == TextEncoding::Utf16Big ? 1 : 0;
    for (; at + 2 <= window.size(); at += 2)
        if (window[at + low] == '\n' && window[at + 1 - low] == 0)
            return true;
    return false;
}

/// The last line need not be ended; but where the input was cut off, it may lack digits of its count.
bool FoldedReader::takeLastLine(std::size_t &size)
{
    size = m_input.window().size();
    if (size == 0)
        return false;
    if (!m_input.fault())
        return true;
    m_batch.losses.add(Loss::UnreadableLines, "line " + std::to_string(m_lineNumber + 1) + " is cut off");
    return false;
}

void FoldedReader::skipLongLine()
{
    ++m_lineNumber;
    m_batch.losses.add(Loss::OversizedFields,
                       "line " + std::to_string(m_lineNumber) + " is longer than 64 MiB");
    for (;;) {
        std::size_t at = 0;
        const bool isFound = findLineEnd(at);
        m_input.consume(isFound ? at + unit() : at);
        if (isFound || !checkLimits() || !m_input.extend())
            return;
    }
}

/// Looks after what need not be looked after with every line. @return false if reading is over
bool FoldedReader::checkLimits()
{
    if (m_input.position() < m_nextCheck)
        return true;
    m_nextCheck = m_input.position() + kBytesBetweenChecks;
    if (m_options.stop.stop_requested()) {
        m_refusal = m_options.name + ": cancelled";
        m_hasEnded = true;
        return false;
    }
    if (m_options.progress)
        m_options.progress(m_input.position());
    if (bytes() <= m_options.memoryBudget)
        return true;
    m_batch.losses.add(Loss::SamplesOverBudget, "memory budget of " +
                                                    std::to_string(m_options.memoryBudget >> 20) +
                                                    " MiB reached at line " + std::to_string(m_lineNumber) +
                                                    "; the rest was not read");
    m_hasEnded = true;
    return false;
}

std::size_t FoldedReader::bytes() const
{
    return m_chunkBytes + m_stacks.bytes() + m_stackOfText.bytes() + m_frameOfChain.bytes() +
           m_functionOfName.bytes() + m_batch.arena.bytes() +
           m_batch.strings.capacity() * sizeof(std::string_view) +
           m_batch.functions.capacity() * sizeof(Function) + m_batch.lines.capacity() * sizeof(Line) +
           m_batch.frames.capacity() * sizeof(Frame);
}

void FoldedReader::take(std::string_view line)
{
    if (line.find_first_not_of(" \t\r") == std::string_view::npos || isComment(line))
        return;
    const std::optional<FoldedLine> parsed = parseFoldedLine(line);
    const bool isStack = parsed && (parsed->hasCount || parsed->stack.find(';') != std::string_view::npos) &&
                         parsed->stack.find('\0') == std::string_view::npos;
    if (isStack)
        addSample(*parsed, line);
    else
        m_batch.losses.add(Loss::UnreadableLines, "line " + std::to_string(m_lineNumber) + " is no stack");
}

void FoldedReader::addSample(const FoldedLine &line, std::string_view text)
{
    // The first line decides whether there are two counts, as difffolded writes them.
    if (!m_rows) {
        const StringId count = m_batch.addString("count");
        if (line.second)
            m_block.series.push_back({m_batch.addString("baseline"), count});
        m_block.series.push_back({m_batch.addString("samples"), count});
        m_rows.emplace(m_block.series.size());
    }
    const bool hasTwo = m_block.series.size() == 2;
    std::string_view stack = line.stack;
    std::array<std::int64_t, 2> values{};
    if (!line.second) {
        values[hasTwo ? 1 : 0] = whole(line.count, wordBehind(stack, text));
    } else if (hasTwo) {
        values = {whole(line.count, wordBehind(stack, text)),
                  whole(*line.second, wordBehind(line.stackWithNumber, text))};
    } else { // the first number belongs to the name
        stack = line.stackWithNumber;
        values[0] = whole(*line.second, wordBehind(stack, text));
    }
    m_rows->add(stackOf(stack), ContextId(), LinkId(), 0, std::span(values).first(m_block.series.size()));
    if (m_rows->size() == SampleChunk::kRows) {
        m_chunkBytes += m_block.chunks.emplace_back(*m_rows).bytes();
        m_rows->clear();
    }
}

/// @param text what `count` was read from: a double cannot hold every whole number beyond 2^53
std::int64_t FoldedReader::whole(double count, std::string_view text)
{
    constexpr double kExact = 9007199254740992.0;
    constexpr double kLimit = 9.2e18;
    if (std::abs(count) >= kExact) {
        std::int64_t exact = 0;
        const char *const end = text.data() + text.size();
        if (const auto parsed = std::from_chars(text.data(), end, exact);
            parsed.ec == std::errc() && parsed.ptr == end)
            return exact;
    }
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
    m_path.clear();
    for (std::string_view rest = text;;) {
        const std::size_t length = chainLength(rest);
        m_path.push_back(frameOf(rest.substr(0, length)));
        if (length == rest.size())
            break;
        rest.remove_prefix(length + 1);
    }
    std::ranges::reverse(m_path);
    const StackId found = m_stacks.path(m_path);
    stack = found.value;
    return found;
}

FrameId FoldedReader::frameOf(std::string_view chain)
{
    std::uint32_t &known = m_frameOfChain[digestOf(bytesOf(chain))];
    if (known != DigestMap::kNew)
        return FrameId(known);
    m_chain.clear();
    for (std::size_t begin = 0; begin <= chain.size();) {
        const std::size_t end = std::min(chain.find(';', begin), chain.size());
        m_chain.push_back(parseFrame(chain.substr(begin, end - begin)));
        begin = end + 1;
    }
    Frame frame;
    frame.kind = kindOf(m_chain.front().kind);
    frame.lineBegin = static_cast<std::uint32_t>(m_batch.lines.size());
    frame.lineCount = static_cast<std::uint32_t>(m_chain.size()) & 0x7fffffffU;
    for (std::size_t i = m_chain.size(); i-- > 0;)
        m_batch.lines.push_back({.line = 0, .function = functionOf(m_chain[i].name), .column = 0});
    known = static_cast<std::uint32_t>(m_batch.frames.size());
    m_batch.frames.push_back(frame);
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

StringId FoldedReader::kindOf(std::string_view kind)
{
    if (kind.empty())
        return {};
    std::uint32_t &known = m_stringOfKind[digestOf(bytesOf(kind))];
    if (known == DigestMap::kNew)
        known = m_batch.addString(kind).value;
    return StringId(known);
}

Result<Batch> FoldedReader::finish()
{
    if (!m_rows) {
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
