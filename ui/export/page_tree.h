#pragma once

#include "model/views/call_tree.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

/// The nodes of a call tree that a page holds: parents before children, siblings by weight, and behind them
/// one node for all of their siblings that are too light.
struct PageTree {
    struct Node {
        NodeId node;              ///< of the call tree; the parent of what is merged
        std::uint32_t depth = 0;  ///< 0: the root
        std::uint32_t merged = 0; ///< 0: one node; else so many siblings, with all below them
        std::uint32_t firstMerged = 0;
    };
    std::vector<Node> nodes;
    std::vector<NodeId> merged;  ///< the siblings that nodes stand for, in runs
    std::size_t count = 0;       ///< of nodes that weigh anything, and the root
    std::size_t mergedCount = 0; ///< of them, those that are not shown by themselves
    double mergedExtent = 0;

    std::span<const NodeId> mergedOf(const Node &node) const
    {
        return std::span(merged).subspan(node.firstMerged, node.merged);
    }
};

/// Keeps the `most` nodes that are widest; all of the same width as the last of them go if there is no room
/// for all.
/// @param extents by node: no child's is more than its parent's
PageTree pageTree(const CallTree &tree, std::span<const double> extents, std::size_t most);

} // namespace hearth
