#pragma once

#include "model/views/selected_samples.h"
#include "model/views/tree_shape.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

/// The call tree that lanes have their stacks from.
struct ChartTree {
    std::vector<ShapeNode> nodes;
    std::vector<std::uint16_t> levels; ///< by node: how many there are from the root, which has none

    explicit ChartTree(std::span<const ShapeNode> shape);
    ChartTree() = default;

    /// The ancestor at a level, or the node itself. REQUIRES: level <= levels[node]
    NodeId at(NodeId node, std::uint32_t level) const;
    /// How many levels two nodes have in common.
    std::uint32_t common(NodeId a, NodeId b) const;
};

/// A sample in its lane: the stack that was observed, for as long as the sample stands for.
struct Stretch {
    std::int64_t begin = 0; ///< nanoseconds since 1970
    std::int64_t end = 0;   ///< not part of it
    NodeId node;
    bool isWaiting = false;

    std::int64_t length() const { return end - begin; }
};

/// What one thread (or process, processor, request) did over time. Neighbours that have their outermost
/// levels in common share boxes; a box ends where a gap begins or where another function stands in its level.
///
/// Waiting is a level of its own below the function that waits.
class StackLane {
public:
    /// @param stretches in any order; what overlaps its successor ends where that begins, and what ends
    /// shortly before it lasts until then: samplers are not that punctual
    StackLane(std::vector<Stretch> stretches, const ChartTree &tree);

    std::size_t size() const { return m_stretches.size(); }
    bool isEmpty() const { return m_stretches.empty(); }
    const Stretch &operator[](std::size_t index) const { return m_stretches[index]; }
    std::uint32_t levelsOf(std::size_t index) const { return m_levels[index]; }
    /// Of the deepest.
    std::uint32_t height() const { return m_height; }

    /// The first stretch that ends after a moment; size() if none does.
    std::size_t firstEndingAfter(std::int64_t time) const;
    /// The first stretch from `from` on that begins at a moment or later; for moments that are near, costs
    /// little.
    std::size_t firstBeginningAt(std::int64_t time, std::size_t from) const;
    /// The first stretch from this one on that has so many levels; size() if none has.
    std::size_t nextReaching(std::size_t index, std::uint32_t level) const;
    /// The box of this level that a stretch is in ends before this one.
    std::size_t endOfBox(std::size_t index, std::uint32_t level) const;
    std::size_t beginOfBox(std::size_t index, std::uint32_t level) const;

private:
    void settleEnds();
    void compare(const ChartTree &tree);

    static constexpr std::size_t kFan = 64;

    std::vector<Stretch> m_stretches;
    std::vector<std::uint16_t> m_levels;
    std::vector<std::uint16_t> m_deepest; ///< of each kFan levels
    std::vector<std::uint16_t> m_common;  ///< levels in common with the one before; 0 behind a gap
    std::vector<std::vector<std::uint16_t>> m_minima; ///< of each kFan of what is below; the last has one
    std::uint32_t m_height = 0;
};

} // namespace hearth
