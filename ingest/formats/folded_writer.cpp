#include "ingest/formats/folded_writer.h"

#include "model/views/stack_weights.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace hearth {

namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kNameless = "[unknown]";

/// Nothing in a name may end a frame or a line.
std::string nameText(std::string_view name)
{
    std::string text(name);
    for (char &character : text) {
        if (character == ';')
            character = ':';
        else if (static_cast<unsigned char>(character) < ' ')
            character = ' ';
    }
    return text.find_first_not_of(' ') == std::string::npos ? std::string(kNameless) : text;
}

std::string_view endingOf(std::string_view kind)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kEndings{
        {{"kernel", "_[k]"}, {"jit", "_[j]"}, {"interpreted", "_[0]"}, {"c1", "_[1]"}}};
    const auto found = std::ranges::find(kEndings, kind, [](const auto &ending) { return ending.first; });
    return found == kEndings.end() ? std::string_view() : found->second;
}

/// The text of a frame without lines: the name of its binary.
std::string binaryText(const Snapshot &snapshot, FrameId frame)
{
    const auto binary = snapshot.binaryOf(frame);
    std::string_view path =
        binary ? snapshot.text(snapshot.binaries[binary->value].path) : std::string_view();
    path = path.substr(path.rfind('/') + 1);
    return path.empty() ? std::string(kNameless) : '[' + nameText(path) + ']';
}

std::string frameText(const Snapshot &snapshot, FrameId frame)
{
    const std::span<const Line> lines = snapshot.linesOf(frame);
    const std::string_view ending = endingOf(snapshot.text(snapshot.frames[frame.value].kind));
    if (lines.empty())
        return binaryText(snapshot, frame).append(ending);
    std::string text;
    for (std::size_t i = lines.size(); i-- > 0;) {
        const bool isInlined = i + 1 < lines.size();
        const FunctionId function = lines[i].function;
        if (isInlined)
            text += ';';
        text += nameText(function.isNone() ? std::string_view()
                                           : snapshot.text(snapshot.functions[function.value].name));
        text += isInlined ? "_[i]" : ending;
    }
    return text;
}

bool isNumber(std::string_view text)
{
    double number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

/// A stack's text, such that a reader takes neither its beginning for a comment nor its end for a count.
std::string unmistakable(std::string text)
{
    text.erase(text.find_last_not_of(kBlanks) + 1);
    text.erase(0, text.find_first_not_of(kBlanks));
    if (text.starts_with('#') &&
        (text.size() == 1 || std::string_view(" #!").find(text[1]) != std::string::npos))
        text.front() = '_';
    const std::size_t blank = text.find_last_of(kBlanks);
    if (blank != std::string::npos && isNumber(std::string_view(text).substr(blank + 1)))
        text[blank] = '_';
    return text;
}

} // namespace

std::string foldedText(const Snapshot &snapshot, SeriesId series)
{
    WeightSum sum({.series = {.stored = series, .timesPeriod = false, .type = {}, .unit = {}},
                   .time = {},
                   .contexts = {},
                   .links = {}});
    const StackWeights weights = sum.sum(snapshot, {}).value_or(StackWeights());
    std::vector<std::string> frames;
    for (std::size_t frame = 0; frame < snapshot.frames.size(); ++frame)
        frames.push_back(frameText(snapshot, FrameId(frame)));
    std::vector<std::pair<std::string, std::int64_t>> lines;
    std::vector<FrameId> path;
    for (std::size_t stack = 0; stack < weights.net.size(); ++stack) {
        if (weights.net[stack] == 0)
            continue;
        path.clear();
        for (StackId at(stack); at != StackId(); at = snapshot.stacks[at.value].parent)
            path.push_back(snapshot.stacks[at.value].frame);
        std::string text;
        for (std::size_t i = path.size(); i-- > 0;)
            (text += text.empty() ? "" : ";") += frames[path[i].value];
        lines.emplace_back(path.empty() ? std::string(kNameless) : unmistakable(std::move(text)),
                           weights.net[stack]);
    }
    std::ranges::sort(lines);
    std::string text;
    for (std::size_t i = 0; i < lines.size();) {
        Sum total; // stacks that differ in what the format cannot say become one line
        const std::string &stack = lines[i].first;
        for (; i < lines.size() && lines[i].first == stack; ++i)
            total.add(lines[i].second);
        if (total.value != 0)
            text += stack + ' ' + std::to_string(total.value) + '\n';
    }
    return text;
}

} // namespace hearth
