#include "ingest/formats/callgrind_graph.h"
#include "ingest/formats/format.h"
#include "ingest/formats/line_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <utility>

// callgrind's output (valgrind's manual, "Callgrind Format Specification"), as KCachegrind reads it, and as
// others write it, too: Xdebug, for one.
//
//   events: Ir Dr              positions: line | instr line
//   ob=(3) /usr/lib/libc.so.6  fl=(171) malloc.c    fn=(646) calloc      names once, then their numbers
//   3619 1 2                   a line and what it cost
//   +10 1                      positions may be relative: "+10", "-10", "*"
//   cob= cfi= cfn=(664)        what is called,
//   calls=1 1338               how often, and where it is;
//   * 128                      from which line, and what that cost with all that is called
//   fi= fe=                    another file, of inlined code
//   jump= jcnd=                jumps, with a line of positions behind each

namespace hearth {

namespace {

class CallgrindReader {
public:
    CallgrindReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kCallgrind.name, ProfileBuilder::Delivery::Whole),
          m_lines(input, m_builder.watch(), m_builder.losses()), m_graph(m_builder)
    {}

    Result<Batch> read();

private:
    void take(std::string_view line);
    bool takeHead(std::string_view line);
    bool takeName(std::string_view line);
    bool takeCost(std::string_view line);
    std::optional<std::int64_t> takePosition(std::string_view &line, std::int64_t &last);
    void setEvents(std::string_view names);
    StringId nameOf(std::string_view text, std::unordered_map<std::uint64_t, StringId> &known);
    std::uint32_t functionOf(StringId binary, StringId file, StringId name);
    FrameId frameOf(StringId binary, StringId file, StringId name, std::int64_t line);

    InputStream &m_input;
    ProfileBuilder m_builder;
    LineReader m_lines;
    CallgrindGraph m_graph;
    BlockText m_series;
    std::vector<std::size_t> m_columns; ///< which series a column of costs is
    std::size_t m_positions = 1;
    std::array<std::int64_t, 2> m_last{}; ///< positions, for those that are relative
    std::unordered_map<std::uint64_t, StringId> m_binaries, m_files, m_names;
    std::unordered_map<std::uint64_t, std::uint32_t> m_functions; ///< by binary and name
    StringId m_binary, m_file, m_name;
    StringId m_calledBinary, m_calledFile, m_calledName;
    std::uint32_t m_function = kNone;
    bool m_isCall = false; ///< the next costs are of a call
    bool m_isJump = false; ///< the next positions are of a jump
    FrameId m_frame;
    std::int64_t m_frameLine = -1;

    static constexpr std::uint32_t kNone = 0xffffffffU;
};

Result<Batch> CallgrindReader::read()
{
    std::string_view line;
    while (m_builder.goesOn(m_lines.position(), [this] { return m_lines.place(); }) && m_lines.next(line)) {
        line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
        if (!line.empty() && line.front() != '#')
            take(line);
    }
    m_builder.batch().origin.comments.emplace_back(
        "callgrind counts calls, not stacks: what a function cost by itself is exact, under which callers it "
        "is shown is estimated from what their calls cost");
    if (!m_series.series.empty() && !m_builder.watch().isCancelled())
        m_graph.finish(m_series);
    return m_builder.finish(m_input);
}

void CallgrindReader::take(std::string_view line)
{
    const bool isCost = (line.front() >= '0' && line.front() <= '9') || line.front() == '+' ||
                        line.front() == '-' || line.front() == '*';
    if (isCost ? !takeCost(line) : !takeName(line) && !takeHead(line))
        m_builder.losses().add(Loss::UnreadableLines, m_lines.place() + " cannot be understood");
}

/// "events: Ir Dr": a file may have several parts, each with its own.
bool CallgrindReader::takeHead(std::string_view line)
{
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return false;
    const std::string_view key = line.substr(0, colon);
    std::string_view value = line.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    if (key == "events")
        setEvents(value);
    else if (key == "positions")
        m_positions = value.find(' ') == std::string_view::npos ? 1 : 2;
    else if (key == "cmd" && !value.empty())
        m_builder.batch().origin.comments.emplace_back(value);
    return true;
}

void CallgrindReader::setEvents(std::string_view names)
{
    constexpr std::size_t kMost = 64;
    m_columns.clear();
    while (!names.empty() && m_columns.size() < kMost) {
        const std::string name(names.substr(0, names.find(' ')));
        names.remove_prefix(std::min(name.size() + 1, names.size()));
        auto known = std::ranges::find(m_series.series, name, &BlockText::SeriesText::type);
        if (name.empty() || (known == m_series.series.end() && m_series.series.size() == kMost))
            continue;
        if (known == m_series.series.end())
            known = m_series.series.insert(known, {name, "count"});
        m_columns.push_back(static_cast<std::size_t>(known - m_series.series.begin()));
    }
}

/// "(646) calloc" the first time, then "(646)"; or the name itself.
StringId CallgrindReader::nameOf(std::string_view text, std::unordered_map<std::uint64_t, StringId> &known)
{
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(text.data() + std::min<std::size_t>(1, text.size()),
                                        text.data() + text.size(), number);
    if (!text.starts_with('(') || parsed.ec != std::errc() || parsed.ptr == text.data() + text.size() ||
        *parsed.ptr != ')')
        return m_builder.text(text);
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()) + 1);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (!text.empty())
        return known[number] = m_builder.text(text);
    const auto found = known.find(number);
    if (found != known.end())
        return found->second;
    m_builder.losses().add(Loss::UnknownReferences, m_lines.place() + ": no name has this number");
    return {};
}

bool CallgrindReader::takeName(std::string_view line)
{
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || equals > 5)
        return false;
    const std::string_view key = line.substr(0, equals);
    const std::string_view value = line.substr(equals + 1);
    if (key == "fl" || key == "fi" || key == "fe") {
        m_file = nameOf(value, m_files);
    } else if (key == "fn") {
        m_name = nameOf(value, m_names);
        m_function = functionOf(m_binary, m_file, m_name);
    } else if (key == "ob") {
        m_binary = nameOf(value, m_binaries);
    } else if (key == "cob") {
        m_calledBinary = nameOf(value, m_binaries);
    } else if (key == "cfi" || key == "cfl") {
        m_calledFile = nameOf(value, m_files);
    } else if (key == "cfn") {
        m_calledName = nameOf(value, m_names);
    } else if (key == "calls") {
        m_isCall = true;
    } else if (key == "jump" || key == "jcnd") {
        m_isJump = true;
    } else {
        return false;
    }
    m_frameLine = -1;
    return true;
}

std::optional<std::int64_t> CallgrindReader::takePosition(std::string_view &line, std::int64_t &last)
{
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    if (word == "*")
        return last;
    const bool isRelative = word.starts_with('+') || word.starts_with('-');
    std::string_view digits = word.substr(isRelative ? 1 : 0);
    const bool isHex = digits.starts_with("0x");
    digits.remove_prefix(isHex ? 2 : 0);
    std::int64_t number = 0;
    const auto parsed =
        std::from_chars(digits.data(), digits.data() + digits.size(), number, isHex ? 16 : 10);
    if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size())
        return std::nullopt;
    if (isRelative && __builtin_add_overflow(last, word.front() == '-' ? -number : number, &number))
        return std::nullopt;
    return last = number;
}

bool CallgrindReader::takeCost(std::string_view line)
{
    std::int64_t place = 0;
    for (std::size_t position = 0; position < m_positions; ++position) {
        const auto taken = takePosition(line, m_last[position]);
        if (!taken)
            return false;
        place = *taken; // the last of them is the line
    }
    if (std::exchange(m_isJump, false))
        return true;
    std::vector<std::int64_t> costs;
    while (!line.empty()) {
        std::int64_t cost = 0;
        const auto parsed = std::from_chars(line.data(), line.data() + line.size(), cost);
        if (parsed.ec != std::errc() || costs.size() == m_columns.size())
            return false;
        costs.push_back(cost);
        line.remove_prefix(static_cast<std::size_t>(parsed.ptr - line.data()));
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    }
    if (m_function == kNone)
        return false;
    if (std::exchange(m_isCall, false)) {
        const StringId binary = std::exchange(m_calledBinary, StringId());
        const StringId file = std::exchange(m_calledFile, StringId());
        const std::uint32_t callee = functionOf(binary == StringId() ? m_binary : binary,
                                                file == StringId() ? m_file : file, m_calledName);
        m_graph.addCall(m_function, callee, costs.empty() ? 0 : costs.front());
        return true;
    }
    if (m_frameLine != place)
        m_frame = frameOf(m_binary, m_file, m_name, m_frameLine = place);
    CallgrindGraph::Cost &self = m_graph.self(m_function, m_frame, m_series.series.size());
    bool isWhole = true;
    for (std::size_t column = 0; column < costs.size(); ++column) {
        std::int64_t &sum = self.values[m_columns[column]];
        isWhole = !__builtin_add_overflow(sum, costs[column], &sum) && isWhole;
    }
    return isWhole;
}

std::uint32_t CallgrindReader::functionOf(StringId binary, StringId file, StringId name)
{
    const std::uint64_t key = static_cast<std::uint64_t>(binary.value) << 32 | name.value;
    const auto [known, isNew] = m_functions.try_emplace(key, 0);
    if (isNew)
        known->second = m_graph.addFunction(frameOf(binary, file, name, 0));
    return known->second;
}

FrameId CallgrindReader::frameOf(StringId binary, StringId file, StringId name, std::int64_t line)
{
    const auto text = [this](StringId id) { return m_builder.batch().strings[id.value]; };
    Frame frame;
    if (binary != StringId())
        frame.mapping = m_builder.mapping({.path = text(binary)});
    const Line place{.line = std::max<std::int64_t>(line, 0),
                     .function = m_builder.function(
                         {.name = text(name), .file = text(file) == "???" ? std::string_view() : text(file)}),
                     .column = 0};
    return m_builder.frame(frame, {&place, 1});
}

Result<Batch> readCallgrind(InputStream &input, const ReadOptions &options)
{
    return CallgrindReader(input, options).read();
}

} // namespace

const Format kCallgrind{.name = "callgrind", .read = readCallgrind};

} // namespace hearth
