#include "model/views/call_tree.h"

#include <algorithm>

namespace hearth {

namespace {

std::int64_t saturatedSum(std::int64_t a, std::int64_t b)
{
    Sum sum{a};
    sum.add(b);
    return sum.value;
}

} // namespace

bool isHeavier(std::int64_t a, std::string_view aName, std::int64_t b, std::string_view bName)
{
    return absolute(a) != absolute(b) ? absolute(a) > absolute(b) : aName < bName;
}

NodeId heaviestNodeOf(const CallTree &tree, EntryId entry)
{
    NodeId heaviest = NodeId::none();
    for (std::size_t node = 1; node < tree.nodeCount(); ++node)
        if (tree.entryOf(NodeId(node)) == entry &&
            (heaviest.isNone() || absolute(tree.total(NodeId(node))) > absolute(tree.total(heaviest))))
            heaviest = NodeId(node);
    return heaviest;
}

CallTree::CallTree(std::span<const ShapeNode> nodes, EntriesView entries, std::vector<std::int64_t> self)
    : m_nodes(nodes.begin(), nodes.end()), m_self(std::move(self)), m_total(m_self), m_extent(nodes.size()),
      m_height(nodes.size(), 1), m_childBegin(nodes.size() + 1), m_children(nodes.size() - 1),
      m_entries(std::move(entries))
{}

std::optional<CallTree> CallTree::build(std::span<const ShapeNode> nodes, EntriesView entries,
                                        std::vector<std::int64_t> self, const std::stop_token &stop,
                                        std::vector<bool> isInlined)
{
    CallTree tree(nodes, std::move(entries), std::move(self));
    tree.m_isInlined = std::move(isInlined);
    const std::size_t count = nodes.size();
    for (std::size_t node = 0; node < count; ++node)
        tree.m_extent[node] = static_cast<double>(absolute(tree.m_self[node]));
    for (std::size_t node = count; node-- > 1;) {
        const std::uint32_t parent = tree.m_nodes[node].parent.value;
        tree.m_total[parent] = saturatedSum(tree.m_total[parent], tree.m_total[node]);
        tree.m_extent[parent] += tree.m_extent[node];
        if (tree.m_extent[node] > 0) // what weighs nothing has no place in pictures
            tree.m_height[parent] = std::max(tree.m_height[parent], tree.m_height[node] + 1);
        ++tree.m_childBegin[parent + 1];
    }
    for (std::size_t node = 0; node < count; ++node)
        tree.m_childBegin[node + 1] += tree.m_childBegin[node];
    if (stop.stop_requested())
        return std::nullopt;

    std::vector<std::uint32_t> next(tree.m_childBegin.begin(), tree.m_childBegin.end() - 1);
    for (std::size_t node = 1; node < count; ++node)
        tree.m_children[next[tree.m_nodes[node].parent.value]++] = NodeId(node);
    return tree;
}

std::vector<NodeId> CallTree::heaviestChildren(NodeId node) const
{
    std::vector<NodeId> sorted;
    for (const NodeId child : children(node))
        if (extent(child) > 0)
            sorted.push_back(child);
    std::ranges::sort(sorted, [this](NodeId a, NodeId b) {
        return isHeavier(total(a), entries()[entryOf(a)].name, total(b), entries()[entryOf(b)].name);
    });
    return sorted;
}

} // namespace hearth
