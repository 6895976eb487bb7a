#include "ui/code/shown_code.h"

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

std::size_t widestLine(const SourceFound &found)
{
    std::size_t widest = 0;
    const std::size_t count = found.text ? found.text->lineCount() : 0;
    for (std::size_t line = 1; line <= count; ++line) {
        const std::string_view text = found.text->line(static_cast<std::int64_t>(line));
        widest = std::max(widest, text.size() + 3 * static_cast<std::size_t>(std::ranges::count(text, '\t')));
    }
    return widest;
}

std::size_t widestInstruction(const Disassembly &code)
{
    std::size_t widest = 0;
    for (const Instruction &instruction : code.instructions)
        widest = std::max(widest, instruction.text.size() + instruction.comment.size() + 4);
    return widest;
}

/// Whether two names may be of one file: senders and debug information do not always agree where it was.
bool isSameFile(std::string_view a, std::string_view b)
{
    const auto endsLike = [](std::string_view whole, std::string_view end) {
        return !end.empty() && whole.size() > end.size() && whole.ends_with(end) &&
               whole[whole.size() - end.size() - 1] == '/';
    };
    return a == b || endsLike(a, b) || endsLike(b, a);
}

std::shared_ptr<const ShownSource> sourceOf(const CodeRequest &request, FunctionSource source,
                                            const std::shared_ptr<const CodeWeights> &weights,
                                            const std::stop_token &stop)
{
    auto shown = std::make_shared<ShownSource>();
    shown->weights = weights;
    if (request.reader)
        shown->listed.found =
            request.reader->findSource(*request.snapshot, {source.file, source.binary}, stop);
    shown->listed.source = std::move(source);
    shown->firstLine = request.source == 0 ? request.firstLine : 0;
    shown->widest = widestLine(shown->listed.found);
    return shown;
}

std::shared_ptr<const ShownAssembly> assemblyOf(const CodeRequest &request, FunctionOccurrence occurrence,
                                                std::string_view file, const CodeWeights &weights,
                                                const std::stop_token &stop)
{
    auto shown = std::make_shared<ShownAssembly>();
    shown->listed =
        listedCode(std::move(occurrence), *request.snapshot, weights, request.syntax, *request.reader, stop);
    shown->function = request.function;
    for (const std::string &other : shown->listed.disassembly.files)
        shown->isOfFile.push_back(isSameFile(other, file));
    shown->arrows = jumpArrows(shown->listed.disassembly.instructions, AssemblyPane::kMostLanes);
    shown->widest = widestInstruction(shown->listed.disassembly);
    return shown;
}

} // namespace

Result<std::shared_ptr<const ShownCode>> shownCodeOf(const CodeRequest &request, CodeWeigher &weigher,
                                                     const std::stop_token &stop)
{
    const auto weights = weigher.weigh(request.snapshot, request.lens, stop);
    if (!weights)
        return tl::unexpected(weights.error());
    if (*weights == nullptr)
        return nullptr;
    auto shown = std::make_shared<ShownCode>();
    shown->unit = (*weights)->evaluation().series.unit;
    shown->total = (*weights)->evaluation().total;
    FunctionCode &code = shown->code;
    code = codeOf(**weights, *request.snapshot, request.function, request.reader.get());
    shown->problems = problemsOf(code, request.reader != nullptr);
    std::string file;
    if (!code.sources.empty()) {
        shown->source = std::min(request.source, code.sources.size() - 1);
        file = code.sources[shown->source].file;
        shown->shownSource = sourceOf(request, code.sources[shown->source], *weights, stop);
    }
    if (!code.occurrences.empty()) {
        shown->occurrence = std::min(request.occurrence, code.occurrences.size() - 1);
        shown->shownAssembly =
            assemblyOf(request, code.occurrences[shown->occurrence], file, **weights, stop);
    }
    if (stop.stop_requested())
        return nullptr;
    return shown;
}

} // namespace hearth
