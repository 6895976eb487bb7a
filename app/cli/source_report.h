#pragma once

#include "model/code/function_code.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hearth::cli {

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

struct ListedFunction {
    std::string name;
    CodeWeight weight;
    std::vector<ListedSource> sources;
    std::vector<ListedCode> code;
    std::vector<std::string> problems; ///< of binaries
};

/// @param context so many lines around each that weighs something
std::string sourceText(const Evaluation &evaluation, const std::vector<ListedFunction> &functions,
                       std::size_t context);
std::string sourceJson(const Evaluation &evaluation, const std::vector<ListedFunction> &functions);

} // namespace hearth::cli
