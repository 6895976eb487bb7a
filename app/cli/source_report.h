#pragma once

#include "model/code/listed_code.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hearth::cli {

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
