#pragma once

#include "model/views/entry_table.h"
#include "model/views/stack_weights.h"
#include "model/views/tree_shape.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace hearth {

/// A call tree with its weights, top-down. Immutable; parents precede children.
class CallTree {
public:
    /// @param self what each node of the shape weighs itself
    /// @param isInlined by node; empty: none is
    /// @return nothing if stopped
    static std::optional<CallTree> build(std::span<const ShapeNode> nodes, EntriesView entries,
                                         std::vector<std::int64_t> self, const std::stop_token &stop,
                                         std::vector<bool> isInlined = {});

    std::size_t nodeCount() const { return m_nodes.size(); }
    NodeId parent(NodeId node) const { return m_nodes[node.value].parent; }
    EntryId entryOf(NodeId node) const { return m_nodes[node.value].entry; }
    /// Whether it is the parent's code that calls it, wherever this node was seen.
    bool isInlined(NodeId node) const { return !m_isInlined.empty() && m_isInlined[node.value]; }
    std::int64_t self(NodeId node) const { return m_self[node.value]; }
    std::int64_t total(NodeId node) const { return m_total[node.value]; }

    /// Sum of the absolute values of all that is below, the node itself included: the room that it needs in a
    /// picture.
    double extent(NodeId node) const { return m_extent[node.value]; }

    /// How many levels there are from this node down, its own included.
    std::uint32_t height(NodeId node) const { return m_height[node.value]; }

    /// In no particular order.
    std::span<const NodeId> children(NodeId node) const
    {
        const std::uint32_t begin = m_childBegin[node.value];
        return std::span(m_children).subspan(begin, m_childBegin[node.value + 1] - begin);
    }
    /// The heaviest first, those without any weight in or below them left out.
    std::vector<NodeId> heaviestChildren(NodeId node) const;

    const EntriesView &entries() const { return m_entries; }

private:
    CallTree(std::span<const ShapeNode> nodes, EntriesView entries, std::vector<std::int64_t> self);

    std::vector<ShapeNode> m_nodes;
    std::vector<std::int64_t> m_self;
    std::vector<std::int64_t> m_total;
    std::vector<double> m_extent;
    std::vector<std::uint32_t> m_height;
    std::vector<std::uint32_t> m_childBegin;
    std::vector<NodeId> m_children;
    std::vector<bool> m_isInlined;
    EntriesView m_entries;
};

/// Of all places of an entry the one that weighs most; none if it has no place.
NodeId heaviestNodeOf(const CallTree &tree, EntryId entry);

/// Orders rows by weight, the heaviest first, and equal ones by name, so that reports do not change from run
/// to run.
bool isHeavier(std::int64_t a, std::string_view aName, std::int64_t b, std::string_view bName);

} // namespace hearth
