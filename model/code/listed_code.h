#pragma once

#include "model/code/function_code.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

// Code together with what it weighs, as it is listed in a terminal and in the window.

namespace hearth {

/// A source file with the lines that weigh something.
struct ListedSource {
    FunctionSource source;
    SourceFound found;
};

/// Instructions with what they weigh; or why there are none.
struct ListedCode {
    FunctionOccurrence occurrence;
    std::string binary; ///< its path
    std::string problem;
    Disassembly disassembly = {};
    std::vector<CodeWeight> weights = {};
};

ListedCode listedCode(FunctionOccurrence occurrence, const Snapshot &snapshot, const CodeWeights &weights,
                      AssemblySyntax syntax, CodeReader &reader, const std::stop_token &stop);

/// Why there is nothing of a function to be shown, or not all.
/// @param wantsInstructions or only lines are of interest
std::vector<std::string> problemsOf(const FunctionCode &code, bool wantsInstructions);

/// Lines that follow each other.
struct LineRange {
    std::int64_t first = 0;
    std::int64_t last = 0;

    bool operator==(const LineRange &) const = default;
};

/// The lines that weigh something with those around them, in order and apart from each other. There is
/// nothing around lines that the text does not have.
/// @param lines by number
/// @param lineCount of the text; 0 without one
std::vector<LineRange> linesAround(std::span<const LineWeight> lines, std::size_t lineCount,
                                   std::size_t context);

} // namespace hearth
