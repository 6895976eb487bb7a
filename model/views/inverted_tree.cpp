#include "model/views/inverted_tree.h"

#include <algorithm>
#include <utility>

namespace hearth {

InvertedTree::InvertedTree(std::shared_ptr<const CallTree> tree, std::size_t groupDepth)
    : m_tree(std::move(tree)), m_groupDepth(groupDepth),
      m_nodeOfEntry(m_tree->entries().size(), InvertedId::none())
{
    if (m_groupDepth > 0) {
        m_depths.resize(m_tree->nodeCount());
        for (std::size_t node = 1; node < m_depths.size(); ++node)
            m_depths[node] = m_depths[m_tree->parent(NodeId(node)).value] + 1;
    }
    std::vector<Place> ends;
    for (std::size_t node = 1; node < m_tree->nodeCount(); ++node)
        if (m_tree->self(NodeId(node)) != 0)
            ends.push_back({NodeId(node), m_tree->self(NodeId(node))});
    m_roots = group(ends, 0);
}

const std::vector<InvertedId> &InvertedTree::expand(InvertedId node)
{
    if (!m_nodes[node.value].callers) {
        std::vector<Place> next = std::exchange(m_nodes[node.value].places, {});
        const std::size_t depth = m_nodes[node.value].depth + 1;
        if (depth > m_groupDepth)
            for (Place &place : next)
                place.node = m_tree->parent(place.node);
        std::erase_if(next, [&](const Place &place) {
            return place.node == TreeShape::kRoot || (depth >= m_groupDepth && isGroup(place.node));
        });
        std::vector<InvertedId> grouped = group(next, depth); // may move the nodes
        m_nodes[node.value].callers = std::move(grouped);
    }
    return *m_nodes[node.value].callers;
}

/// The node of the call tree that stands for a place in a branch this deep: one of its groups first.
NodeId InvertedTree::shownAt(const Place &place, std::size_t depth) const
{
    NodeId node = place.node;
    if (depth < m_groupDepth)
        while (m_depths[node.value] > depth + 1)
            node = m_tree->parent(node);
    return node;
}

/// Makes one node of all places with the same entry.
std::vector<InvertedId> InvertedTree::group(const std::vector<Place> &places, std::size_t depth)
{
    std::vector<InvertedId> made;
    for (const Place &place : places) {
        const EntryId entry = m_tree->entryOf(shownAt(place, depth));
        InvertedId &id = m_nodeOfEntry[entry.value];
        if (id.isNone()) {
            id = InvertedId(m_nodes.size());
            m_nodes.push_back(
                {.entry = entry, .depth = depth, .total = 0, .self = 0, .places = {}, .callers = {}});
            made.push_back(id);
        }
        Node &node = m_nodes[id.value];
        Sum total{node.total};
        total.add(place.weight);
        node.total = total.value;
        const NodeId caller = m_tree->parent(place.node);
        const bool isUncalled = depth < m_groupDepth ? depth + 1 == m_groupDepth && isGroup(place.node)
                                                     : caller == TreeShape::kRoot || isGroup(caller);
        if (isUncalled) {
            Sum self{node.self};
            self.add(place.weight);
            node.self = self.value;
        }
        node.places.push_back(place);
    }
    for (const InvertedId id : made)
        m_nodeOfEntry[entryOf(id).value] = InvertedId::none();
    std::erase_if(made, [this](InvertedId id) { return total(id) == 0; });
    std::ranges::sort(made, [this](InvertedId a, InvertedId b) {
        return isHeavier(total(a), m_tree->entries()[entryOf(a)].name, total(b),
                         m_tree->entries()[entryOf(b)].name);
    });
    return made;
}

} // namespace hearth
