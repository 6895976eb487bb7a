#include "ingest/formats/folded_writer.h"

#include "model/views/stack_weights.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hearth {

namespace {

void appendName(std::string &text, std::string_view name)
{
    for (const char character : name)
        text += character == ';'                                              ? ':'
                : character == '\n' || character == '\r' || character == '\0' ? ' '
                                                                              : character;
}

std::string frameText(const Snapshot &snapshot, FrameId frame)
{
    const std::span<const Line> lines = snapshot.linesOf(frame);
    const std::string_view kind = snapshot.text(snapshot.frames[frame.value].kind);
    const std::string_view ending = kind == "kernel" ? "_[k]" : kind == "jit" ? "_[j]" : "";
    std::string text;
    for (std::size_t i = lines.size(); i-- > 0;) {
        const bool isInlined = i + 1 < lines.size();
        const std::string_view name = lines[i].function.isNone()
                                          ? std::string_view()
                                          : snapshot.text(snapshot.functions[lines[i].function.value].name);
        if (isInlined)
            text += ';';
        appendName(text, name.empty() ? "[unknown]" : name);
        text += isInlined ? "_[i]" : ending;
    }
    if (!text.empty())
        return text;
    const auto binary = snapshot.binaryOf(frame);
    const std::string_view path =
        binary ? snapshot.text(snapshot.binaries[binary->value].path) : std::string_view();
    text += '[';
    appendName(text, path.empty() ? "unknown" : path.substr(path.rfind('/') + 1));
    return text + ']' + std::string(ending);
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
    for (std::size_t stack = 1; stack < weights.net.size(); ++stack) {
        if (weights.net[stack] == 0)
            continue;
        path.clear();
        for (StackId at(stack); at != StackId(); at = snapshot.stacks[at.value].parent)
            path.push_back(snapshot.stacks[at.value].frame);
        std::string text;
        for (std::size_t i = path.size(); i-- > 0;)
            text += (text.empty() ? "" : ";") + frames[path[i].value];
        lines.emplace_back(std::move(text), weights.net[stack]);
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
