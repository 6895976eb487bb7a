#pragma once

#include "model/code/disassembly.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

/// A jump within a function, drawn beside its instructions.
struct JumpArrow {
    std::uint32_t from = 0; ///< instruction
    std::uint32_t to = 0;
    int lane = 0; ///< from the instructions outwards; kNoLane where there are too many

    static constexpr int kNoLane = -1;

    std::uint32_t first() const { return from < to ? from : to; }
    std::uint32_t last() const { return from < to ? to : from; }
    bool operator==(const JumpArrow &) const = default;
};

/// Arrows that share rows have lanes of their own, the shortest the innermost. By instruction.
/// @param mostLanes beyond which arrows have none
std::vector<JumpArrow> jumpArrows(std::span<const Instruction> instructions, int mostLanes);

} // namespace hearth
