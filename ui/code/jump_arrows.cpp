#include "ui/code/jump_arrows.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace hearth {

namespace {

/// What is taken of a lane: rows by the first of them.
class Lane {
public:
    bool take(std::uint32_t first, std::uint32_t last)
    {
        const auto next = m_taken.lower_bound(first);
        if (next != m_taken.end() && next->first <= last)
            return false;
        if (next != m_taken.begin() && std::prev(next)->second >= first)
            return false;
        m_taken.emplace(first, last);
        return true;
    }

private:
    std::map<std::uint32_t, std::uint32_t> m_taken;
};

} // namespace

std::vector<JumpArrow> jumpArrows(std::span<const Instruction> instructions, int mostLanes)
{
    std::vector<JumpArrow> arrows;
    for (std::size_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].kind == InstructionKind::Jump && instructions[i].target != Instruction::kNone)
            arrows.push_back({static_cast<std::uint32_t>(i), instructions[i].target, JumpArrow::kNoLane});
    std::ranges::stable_sort(arrows, {}, [](const JumpArrow &arrow) { return arrow.last() - arrow.first(); });
    std::vector<Lane> lanes(static_cast<std::size_t>(mostLanes));
    for (JumpArrow &arrow : arrows) {
        const auto free = std::ranges::find_if(
            lanes, [&arrow](Lane &lane) { return lane.take(arrow.first(), arrow.last()); });
        if (free != lanes.end())
            arrow.lane = static_cast<int>(free - lanes.begin());
    }
    std::ranges::sort(arrows, {}, &JumpArrow::from);
    return arrows;
}

} // namespace hearth
