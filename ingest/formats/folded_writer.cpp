#include "ingest/formats/folded_writer.h"

#include "model/views/stack_weights.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <compare>
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

bool endsInNumber(std::string_view stack)
{
    const std::string_view text = stack.substr(stack.find_last_of(kBlanks) + 1);
    double number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    return text.size() < stack.size() && parsed.ec == std::errc() && std::isfinite(number) &&
           parsed.ptr == text.data() + text.size();
}

/// A stack's text, such that a reader does not take its beginning for a comment.
std::string stackText(std::span<const FrameId> rootLast, const std::vector<std::string> &frames)
{
    if (rootLast.empty())
        return std::string(kNameless);
    std::string text;
    for (std::size_t i = rootLast.size(); i-- > 0;)
        (text += text.empty() ? "" : ";") += frames[rootLast[i].value];
    text.erase(text.find_last_not_of(kBlanks) + 1);
    text.erase(0, text.find_first_not_of(kBlanks));
    if (text.starts_with('#') &&
        (text.size() == 1 || std::string_view(" #!").find(text[1]) != std::string::npos))
        text.front() = '_';
    return text;
}

struct WeightedStack {
    std::string text;
    std::int64_t weight = 0;

    auto operator<=>(const WeightedStack &) const = default;
};

/// Stacks by text; those that differ in what the format cannot say become one.
std::vector<WeightedStack> weightedStacks(const Snapshot &snapshot, const StackWeights &weights)
{
    std::vector<std::string> frames;
    for (std::size_t frame = 0; frame < snapshot.frames.size(); ++frame)
        frames.push_back(frameText(snapshot, FrameId(frame)));
    std::vector<WeightedStack> stacks;
    std::vector<FrameId> path;
    for (std::size_t stack = 0; stack < weights.net.size(); ++stack) {
        if (weights.net[stack] == 0)
            continue;
        path.clear();
        for (StackId at(stack); at != StackId(); at = snapshot.stacks[at.value].parent)
            path.push_back(snapshot.stacks[at.value].frame);
        stacks.push_back({stackText(path, frames), weights.net[stack]});
    }
    std::ranges::sort(stacks);
    std::vector<WeightedStack> merged;
    for (WeightedStack &stack : stacks) {
        if (merged.empty() || merged.back().text != stack.text) {
            merged.push_back(std::move(stack));
            continue;
        }
        Sum sum{merged.back().weight};
        sum.add(stack.weight);
        merged.back().weight = sum.value;
    }
    std::erase_if(merged, [](const WeightedStack &stack) { return stack.weight == 0; });
    return merged;
}

/// A reader takes two numbers at the end of the first line for two counts on every line.
void beginUnmistakably(std::vector<WeightedStack> &stacks)
{
    const auto plain = std::ranges::find_if_not(stacks, endsInNumber, &WeightedStack::text);
    if (plain != stacks.end())
        std::rotate(stacks.begin(), plain, plain + 1);
    else if (!stacks.empty())
        stacks.front().text[stacks.front().text.find_last_of(kBlanks)] = '_';
}

} // namespace

std::string foldedText(const Snapshot &snapshot, SeriesId series)
{
    WeightSum sum({.series = {.stored = series, .timesPeriod = false, .type = {}, .unit = {}},
                   .time = {},
                   .contexts = {},
                   .links = {},
                   .estimate = {}});
    std::vector<WeightedStack> stacks =
        weightedStacks(snapshot, sum.sum(snapshot, {}).value_or(StackWeights()));
    beginUnmistakably(stacks);
    std::string text;
    for (const WeightedStack &stack : stacks)
        text += stack.text + ' ' + std::to_string(stack.weight) + '\n';
    return text;
}

} // namespace hearth
