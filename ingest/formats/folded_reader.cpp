#include "ingest/formats/digest_map.h"
#include "ingest/formats/folded_line.h"
#include "ingest/formats/format.h"
#include "ingest/formats/line_reader.h"
#include "model/store/stack_tree.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace hearth {

namespace {

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
    FoldedReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_options(options), m_watch(options, m_batch.losses),
          m_lines(input, m_watch, m_batch.losses)
    {}

    Result<Batch> read();

private:
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
    ReadWatch m_watch;
    LineReader m_lines;

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
};

Result<Batch> FoldedReader::read()
{
    const auto goesOn = [this] {
        return !m_watch.isDue(m_lines.position()) ||
               m_watch.goesOn(m_lines.position(), bytes(), m_lines.place());
    };
    std::string_view line;
    while (goesOn() && m_lines.next(line))
        take(line);
    if (m_watch.isCancelled())
        return failure(m_options.name + ": cancelled");
    if (const auto fault = m_input.fault())
        m_batch.losses.add(fault->loss, fault->message);
    return finish();
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
        m_batch.losses.add(Loss::UnreadableLines, m_lines.place() + " is no stack");
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
