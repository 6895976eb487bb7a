#pragma once

#include "model/views/call_tree.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hearth {

using InvertedId = Id<struct InvertedTag>;

/// A call tree bottom-up: below each entry those that called it. Whole it would be as large as all stacks
/// together, so nodes come to be when their parent is expanded.
class InvertedTree {
public:
    /// @param groupDepth so many levels below the root are groups; they stay above what is inverted
    explicit InvertedTree(std::shared_ptr<const CallTree> tree, std::size_t groupDepth = 0);

    /// What weighs something itself, or the groups, the heaviest first.
    const std::vector<InvertedId> &roots() const { return m_roots; }

    /// The callers of a node, or what weighs something itself in a group, the heaviest first.
    const std::vector<InvertedId> &expand(InvertedId node);

    EntryId entryOf(InvertedId node) const { return m_nodes[node.value].entry; }

    /// The weight of the samples that end in the first entry of this branch and came through all of it.
    std::int64_t total(InvertedId node) const { return m_nodes[node.value].total; }

    /// The part of total() that nothing called, or that has no frames in its group.
    std::int64_t self(InvertedId node) const { return m_nodes[node.value].self; }

    const CallTree &tree() const { return *m_tree; }

private:
    /// A place in the call tree that a branch has come to, with the weight that it brought along. Branches
    /// begin with the groups of the place that samples end in.
    struct Place {
        NodeId node;
        std::int64_t weight;
    };
    struct Node {
        EntryId entry;
        std::size_t depth = 0;
        std::int64_t total = 0;
        std::int64_t self = 0;
        std::vector<Place> places;
        std::optional<std::vector<InvertedId>> callers;
    };

    std::vector<InvertedId> group(const std::vector<Place> &places, std::size_t depth);
    NodeId shownAt(const Place &place, std::size_t depth) const;
    bool isGroup(NodeId node) const { return !m_depths.empty() && m_depths[node.value] <= m_groupDepth; }

    std::shared_ptr<const CallTree> m_tree;
    std::size_t m_groupDepth;
    std::vector<std::uint32_t> m_depths; ///< of the call tree's nodes, if there are groups
    std::vector<Node> m_nodes;
    std::vector<InvertedId> m_roots;
    std::vector<InvertedId> m_nodeOfEntry; ///< while grouping
};

} // namespace hearth
