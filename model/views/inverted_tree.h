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
    explicit InvertedTree(std::shared_ptr<const CallTree> tree);

    /// What weighs something itself, the heaviest first.
    const std::vector<InvertedId> &roots() const { return m_roots; }

    /// The callers of a node, the heaviest first.
    const std::vector<InvertedId> &expand(InvertedId node);

    EntryId entryOf(InvertedId node) const { return m_nodes[node.value].entry; }

    /// The weight of the samples that end in the first entry of this branch and came through all of it.
    std::int64_t total(InvertedId node) const { return m_nodes[node.value].total; }

    /// The part of total() that nothing called.
    std::int64_t self(InvertedId node) const { return m_nodes[node.value].self; }

    const CallTree &tree() const { return *m_tree; }

private:
    /// A place in the call tree that a branch has come to, with the weight that it brought along.
    struct Place {
        NodeId node;
        std::int64_t weight;
    };
    struct Node {
        EntryId entry;
        std::int64_t total = 0;
        std::int64_t self = 0;
        std::vector<Place> places;
        std::optional<std::vector<InvertedId>> callers;
    };

    std::vector<InvertedId> group(const std::vector<Place> &places);

    std::shared_ptr<const CallTree> m_tree;
    std::vector<Node> m_nodes;
    std::vector<InvertedId> m_roots;
    std::vector<InvertedId> m_nodeOfEntry; ///< while grouping
};

} // namespace hearth
