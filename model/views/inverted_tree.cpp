#include "model/views/inverted_tree.h"

#include <algorithm>
#include <utility>

namespace hearth {

InvertedTree::InvertedTree(std::shared_ptr<const CallTree> tree)
    : m_tree(std::move(tree)), m_nodeOfEntry(m_tree->entries().size(), InvertedId::none())
{
    std::vector<Place> ends;
    for (std::size_t node = 1; node < m_tree->nodeCount(); ++node)
        if (m_tree->self(NodeId(node)) != 0)
            ends.push_back({NodeId(node), m_tree->self(NodeId(node))});
    m_roots = group(ends);
}

const std::vector<InvertedId> &InvertedTree::expand(InvertedId node)
{
    if (!m_nodes[node.value].callers) {
        std::vector<Place> callers;
        for (const Place &place : m_nodes[node.value].places)
            if (const NodeId caller = m_tree->parent(place.node); caller != TreeShape::kRoot)
                callers.push_back({caller, place.weight});
        std::vector<InvertedId> grouped = group(callers); // may move the nodes
        m_nodes[node.value].callers = std::move(grouped);
        m_nodes[node.value].places = {};
    }
    return *m_nodes[node.value].callers;
}

/// Makes one node of all places with the same entry.
std::vector<InvertedId> InvertedTree::group(const std::vector<Place> &places)
{
    std::vector<InvertedId> made;
    for (const Place &place : places) {
        const EntryId entry = m_tree->entryOf(place.node);
        InvertedId &id = m_nodeOfEntry[entry.value];
        if (id.isNone()) {
            id = InvertedId(m_nodes.size());
            m_nodes.push_back({.entry = entry, .total = 0, .self = 0, .places = {}, .callers = {}});
            made.push_back(id);
        }
        Node &node = m_nodes[id.value];
        Sum total{node.total};
        total.add(place.weight);
        node.total = total.value;
        if (m_tree->parent(place.node) == TreeShape::kRoot) {
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
