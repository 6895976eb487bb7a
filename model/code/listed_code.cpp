#include "model/code/listed_code.h"

#include <algorithm>
#include <utility>

namespace hearth {

ListedCode listedCode(FunctionOccurrence occurrence, const Snapshot &snapshot, const CodeWeights &weights,
                      AssemblySyntax syntax, CodeReader &reader, const std::stop_token &stop)
{
    const Binary &binary = snapshot.binaries[occurrence.extent.binary.value];
    ListedCode listed{.occurrence = std::move(occurrence),
                      .binary = std::string(snapshot.text(binary.path)),
                      .problem = {}};
    auto code = reader.disassemble(snapshot, listed.occurrence.extent, syntax, stop);
    if (!code) {
        listed.problem = code.error().message;
        return listed;
    }
    listed.weights = weightsOf(*code, weights);
    listed.disassembly = std::move(*code);
    return listed;
}

std::vector<std::string> problemsOf(const FunctionCode &code, bool wantsInstructions)
{
    std::vector<std::string> problems = code.problems;
    if (code.sources.empty())
        problems.emplace_back("nobody says which source file it is from");
    if (wantsInstructions && code.occurrences.empty() && code.problems.empty())
        problems.emplace_back("its samples have no addresses in a file");
    return problems;
}

std::vector<LineRange> linesAround(std::span<const LineWeight> lines, std::size_t lineCount,
                                   std::size_t context)
{
    const auto around = static_cast<std::int64_t>(context);
    const auto end = static_cast<std::int64_t>(lineCount);
    std::vector<LineRange> ranges;
    for (const LineWeight &line : lines) {
        const bool isInText = line.line > 0 && line.line <= end;
        LineRange range{line.line, line.line};
        if (isInText)
            range = {std::max<std::int64_t>(1, line.line - around), std::min(end, line.line + around)};
        const bool isApart =
            ranges.empty() || (range.first > ranges.back().last && range.first - 1 != ranges.back().last);
        if (!isApart)
            ranges.back().last = std::max(ranges.back().last, range.last);
        else
            ranges.push_back(range);
    }
    return ranges;
}

} // namespace hearth
