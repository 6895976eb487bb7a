#pragma once

#include "model/code/code_reader.h"
#include "model/views/code_weights.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

// Where the code of a function is, and what it weighs.

namespace hearth {

/// A source file that a function has lines in: one, unless functions share a name or lines were included.
struct FunctionSource {
    std::string file;
    std::vector<LineWeight> lines; ///< by line
    CodeWeight weight; ///< the sum of the lines, so what recurs counts more than once in its total
    std::optional<BinaryId> binary; ///< one that has it
};

/// A place where a function's instructions are: itself, or a function that it was inlined into.
struct FunctionOccurrence {
    CodeExtent extent;
    CodeWeight weight; ///< the sum of its sampled places
    bool isInlined = false;
};

/// All of a function's code, the heaviest first.
struct FunctionCode {
    std::string function;
    CodeWeight weight;
    std::vector<FunctionSource> sources;
    std::vector<FunctionOccurrence> occurrences;
    std::vector<std::string> problems; ///< why instructions of a binary cannot be shown
};

/// @param reader null: only what is known without files
FunctionCode codeOf(const CodeWeights &weights, const Snapshot &snapshot, std::string_view function,
                    CodeReader *reader);

/// What each instruction weighs: the places within it.
std::vector<CodeWeight> weightsOf(const Disassembly &disassembly, const CodeWeights &weights);

/// The place of an instruction in a function, if it has one there; else its outermost.
const CodePlace *placeIn(const Disassembly &disassembly, const Instruction &instruction,
                         std::string_view function);

} // namespace hearth
