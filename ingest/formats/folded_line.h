#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// Folded stacks: a line per stack, its frames from the root to the leaf with ';' between, a blank, and how
// often.
//
//   main;parse;alloc 3
//
// Names may hold blanks: the count is what follows the last one, if that is a number. Without a number the
// stack counts once. Endings of names tell where a frame ran: _[k] in the kernel, _[j] compiled at run time,
// _[i] inlined into the frame before it.

namespace hearth {

struct FoldedLine {
    std::string_view stack;
    std::string_view
        stackWithNumber; ///< the same with the first of two numbers, which may be a part of the name
    double count = 1;
    bool hasCount = false;
    std::optional<double> second; ///< of difffolded's output: this stack's count after the one in `count`
};

/// Takes a line apart. @return nothing if there is no stack in it
std::optional<FoldedLine> parseFoldedLine(std::string_view line);

struct FoldedFrame {
    std::string_view name;
    std::string_view kind; ///< "kernel", "jit", or empty
    bool isInlined = false;
};
FoldedFrame parseFoldedFrame(std::string_view text);

} // namespace hearth
