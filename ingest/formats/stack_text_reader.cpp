#include "ingest/formats/format.h"
#include "ingest/formats/line_reader.h"
#include "ingest/formats/profile_builder.h"

#include <algorithm>
#include <charconv>
#include <optional>

// Stacks as tracers print their aggregations, innermost frame first, with a count at the end.
//
// bpftrace:                         DTrace:
//   @reads[                           libc.so.1`read+0x15
//       vfs_read+1                    bash`main+0x2b0
//       do_syscall_64+113               12
//   , bash, 1234]: 12

namespace hearth {

namespace {

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
        return std::nullopt;
    return number;
}

/// Without the offset at its end: "f+0x12", "f+18".
std::string_view withoutOffset(std::string_view symbol)
{
    const std::size_t plus = symbol.rfind('+');
    if (plus == std::string_view::npos || plus == 0 || plus + 1 == symbol.size())
        return symbol;
    const std::string_view offset = symbol.substr(plus + (symbol.substr(plus + 1).starts_with("0x") ? 3 : 1));
    return offset.find_first_not_of("0123456789abcdef") == std::string_view::npos ? symbol.substr(0, plus)
                                                                                  : symbol;
}

class StackTextReader {
public:
    StackTextReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kStackText.name, ProfileBuilder::Delivery::InParts),
          m_lines(input, m_builder.watch(), m_builder.losses())
    {}

    Result<Batch> read();

private:
    enum class State : std::uint8_t { Outside, InMap, InStack, InHistogram };

    void take(std::string_view line);
    void beginMap(std::string_view line);
    void takeMapLine(std::string_view line);
    void takeKeys(std::string_view keys);
    void takeFrame(std::string_view text);
    void endStack(std::int64_t count);
    void loseLine() { m_builder.losses().add(Loss::UnreadableLines, m_lines.place() + " is no stack"); }

    InputStream &m_input;
    ProfileBuilder m_builder;
    LineReader m_lines;
    State m_state = State::Outside;
    std::string m_series;
    std::vector<FrameId> m_frames;
    std::vector<Attribute> m_keys;
};

Result<Batch> StackTextReader::read()
{
    std::string_view line;
    while (m_lines.next(line)) {
        take(trimmed(line));
        const bool holdsNothing = m_frames.empty() && m_keys.empty();
        if (holdsNothing && !m_builder.goesOn(m_lines.position(), [this] { return m_lines.place(); }))
            break;
    }
    if (m_state == State::InMap || !m_frames.empty())
        m_builder.losses().add(Loss::UnreadableLines, "the last stack has no count");
    return m_builder.finish(m_input);
}

void StackTextReader::take(std::string_view line)
{
    if (line.starts_with('@') && line.find('[') != std::string_view::npos && m_state != State::InMap)
        return beginMap(line);
    switch (m_state) {
    case State::InMap:
        return takeMapLine(line);
    case State::InHistogram:
        m_state = line.empty() ? State::Outside : State::InHistogram;
        return;
    case State::InStack:
    case State::Outside:
        break;
    }
    if (line.empty())
        return;
    if (line.find('`') != std::string_view::npos || (line.starts_with("0x") && !line.ends_with(':'))) {
        m_state = State::InStack;
        takeFrame(line);
    } else if (const auto count = wholeNumber(line); count && m_state == State::InStack) {
        endStack(*count);
    } else if (!line.starts_with("Attaching ") && !line.starts_with("CPU ") &&
               !line.starts_with("dtrace: ")) {
        loseLine();
    }
}

/// "@reads[", perhaps with keys behind it, and perhaps all on one line.
void StackTextReader::beginMap(std::string_view line)
{
    const std::size_t bracket = line.find('[');
    m_series = line.substr(1, bracket - 1);
    m_state = State::InMap;
    if (const std::string_view keys = trimmed(line.substr(bracket + 1)); !keys.empty())
        takeMapLine(keys);
}

void StackTextReader::takeMapLine(std::string_view line)
{
    const std::size_t end = line.rfind("]:");
    if (end == std::string_view::npos) {
        if (line.starts_with(',') || line.ends_with(','))
            takeKeys(line);
        else if (!line.empty())
            takeFrame(line);
        return;
    }
    takeKeys(line.substr(0, end));
    if (const auto count = wholeNumber(trimmed(line.substr(end + 2)))) {
        endStack(*count);
        return;
    }
    loseLine(); // a histogram of each stack
    m_frames.clear();
    m_keys.clear();
    m_state = State::InHistogram;
}

/// What a map has for keys beside stacks: usually the comm, or a number.
void StackTextReader::takeKeys(std::string_view keys)
{
    while (!keys.empty()) {
        const std::size_t comma = std::min(keys.find(','), keys.size());
        const std::string_view key = trimmed(keys.substr(0, comma));
        keys.remove_prefix(std::min(comma + 1, keys.size()));
        if (const auto number = wholeNumber(key))
            m_keys.push_back(m_builder.attribute("key", *number));
        else if (!key.empty())
            m_keys.push_back(m_builder.attribute("comm", key));
    }
}

/// "module`f+0x12", "f+12", "7f6e6b0f2ad7", or as perf prints them: "7f6e f+12 (/usr/bin/x)".
void StackTextReader::takeFrame(std::string_view text)
{
    Frame frame;
    std::string_view binary;
    const std::size_t blank = text.find(' ');
    const std::string_view word = text.substr(0, blank);
    const std::string_view digits = word.substr(word.starts_with("0x") ? 2 : 0);
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), frame.address, 16);
    if (parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size() && digits.size() >= 6)
        text = blank == std::string_view::npos ? std::string_view() : trimmed(text.substr(blank));
    else
        frame.address = 0;
    if (const std::size_t open = text.rfind(" ("); open != std::string_view::npos && text.ends_with(')')) {
        binary = text.substr(open + 2, text.size() - open - 3);
        text = trimmed(text.substr(0, open));
    } else if (const std::size_t tick = text.find('`'); tick != std::string_view::npos) {
        binary = text.substr(0, tick);
        text = text.substr(tick + 1);
    }
    if (!binary.empty())
        frame.mapping = m_builder.mapping({.path = binary});
    const std::string_view name = withoutOffset(text);
    const Line line{.line = 0, .function = m_builder.function({.name = name}), .column = 0};
    m_frames.push_back(m_builder.frame(frame, {&line, name.empty() ? std::size_t(0) : std::size_t(1)}));
}

void StackTextReader::endStack(std::int64_t count)
{
    const std::size_t block =
        m_builder.block({.series = {{m_series.empty() ? "samples" : m_series, "count"}}});
    m_builder.add(block, m_builder.path(m_frames),
                  m_builder.context(AttributeSetId(), m_builder.attributes(m_keys)), 0, count);
    m_frames.clear();
    m_keys.clear();
    m_series.clear();
    m_state = State::Outside;
}

Result<Batch> readStackText(InputStream &input, const ReadOptions &options)
{
    return StackTextReader(input, options).read();
}

} // namespace

const Format kStackText{.name = "stack text", .read = readStackText};

} // namespace hearth
