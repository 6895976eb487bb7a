#include "ui/export/page_tree.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>

namespace hearth {

namespace {

/// What is wider than this is kept.
double limitFor(std::span<const double> extents, std::size_t most)
{
    std::vector<double> sorted;
    std::ranges::copy_if(extents, std::back_inserter(sorted), [](double extent) { return extent > 0; });
    if (sorted.size() <= most)
        return 0;
    const auto firstLeftOut = sorted.begin() + static_cast<std::ptrdiff_t>(most);
    std::ranges::nth_element(sorted, firstLeftOut, std::greater());
    return *firstLeftOut;
}

class Builder {
public:
    Builder(const CallTree &tree, std::span<const double> extents, double limit)
        : m_tree(tree), m_extents(extents), m_limit(limit)
    {}

    /// Without recursion: trees may be as deep as any program recursed.
    PageTree build()
    {
        std::vector<PageTree::Node> open{{TreeShape::kRoot}};
        while (!open.empty()) {
            const PageTree::Node node = open.back();
            open.pop_back();
            m_page.nodes.push_back(node);
            if (node.merged == 0)
                addChildren(node, open);
        }
        m_page.count = heavyCount();
        m_page.mergedCount = m_page.count - m_shown;
        return std::move(m_page);
    }

private:
    void addChildren(const PageTree::Node &parent, std::vector<PageTree::Node> &open)
    {
        ++m_shown;
        std::vector<NodeId> kept;
        PageTree::Node rest{parent.node, parent.depth + 1, 0,
                            static_cast<std::uint32_t>(m_page.merged.size())};
        for (const NodeId child : m_tree.children(parent.node)) {
            const double extent = m_extents[child.value];
            if (extent <= 0)
                continue;
            if (extent > m_limit) {
                kept.push_back(child);
                continue;
            }
            m_page.merged.push_back(child);
            m_page.mergedExtent += extent;
            ++rest.merged;
        }
        std::ranges::sort(kept, [this](NodeId a, NodeId b) { return precedes(a, b); });
        if (rest.merged > 0)
            open.push_back(rest); // the last to be taken out
        for (const NodeId child : std::views::reverse(kept))
            open.push_back({child, parent.depth + 1});
    }

    bool precedes(NodeId a, NodeId b) const
    {
        const double aExtent = m_extents[a.value];
        const double bExtent = m_extents[b.value];
        return aExtent != bExtent ? aExtent > bExtent : nameOf(a) < nameOf(b);
    }
    std::string_view nameOf(NodeId node) const { return m_tree.entries()[m_tree.entryOf(node)].name; }

    /// Of nodes that weigh anything, and the root.
    std::size_t heavyCount() const
    {
        return 1 + static_cast<std::size_t>(
                       std::ranges::count_if(m_extents.subspan(1), [](double extent) { return extent > 0; }));
    }

    const CallTree &m_tree;
    std::span<const double> m_extents;
    double m_limit;
    std::size_t m_shown = 0;
    PageTree m_page;
};

} // namespace

PageTree pageTree(const CallTree &tree, std::span<const double> extents, std::size_t most)
{
    return Builder(tree, extents, limitFor(extents, most)).build();
}

} // namespace hearth
