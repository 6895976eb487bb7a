#pragma once

#include "model/views/call_tree.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace hearth {

/// A box of a flame graph, in units of the width that the layout was made for.
struct FlameBox {
    double left = 0;
    double width = 0;
    NodeId node = NodeId::none(); ///< the heaviest, if it stands for several
    std::uint32_t merged = 0;     ///< 0: one node; else so many narrow neighbours that are drawn as one
    std::uint32_t levels = 1;     ///< how far down merged nodes go, this row included
    std::int64_t total = 0;

    double right() const { return left + width; }
};

/// A row holds boxes from left to right; they do not overlap.
using FlameRow = std::vector<FlameBox>;

enum class FlameOrder : std::uint8_t { HeaviestFirst, ByName };

struct FlameLayout {
    std::vector<FlameRow> rows; ///< row 0 is the one below the root (or the focused node itself)

    /// The box at a place, by bisection; null if there is none.
    const FlameBox *at(std::size_t row, double x) const;
};

/// Lays out the tree below `focus` (the root: all of it). Boxes narrower than one unit are never dropped:
/// each run of such neighbours becomes one merged box. Costs by what is as wide as a unit, not by the size of
/// the tree.
///
/// Widths are sums of absolute values, so that a tree with negative weights (a difference) has room for them.
/// @return nothing if stopped
std::optional<FlameLayout> layOutFlames(const CallTree &tree, NodeId focus, double width, FlameOrder order,
                                        const std::stop_token &stop);

} // namespace hearth
