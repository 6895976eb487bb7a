#include "model/views/flame_layout.h"

#include <algorithm>
#include <cmath>

namespace hearth {

namespace {

constexpr double kNarrowest = 1;

class Layout {
public:
    Layout(const CallTree &tree, NodeId focus, double width, FlameOrder order)
        : m_tree(tree), m_order(order), m_scale(extentOf(focus) > 0 ? width / extentOf(focus) : 0)
    {}

    std::optional<FlameLayout> run(NodeId focus, double width, const std::stop_token &stop)
    {
        std::vector<Parent> parents{{focus, 0}};
        if (focus != TreeShape::kRoot) {
            FlameBox box;
            box.width = width;
            box.node = focus;
            box.total = m_tree.total(focus);
            m_layout.rows.push_back({box});
        }
        while (!parents.empty()) {
            if (stop.stop_requested())
                return std::nullopt;
            FlameRow row;
            std::vector<Parent> next;
            for (const Parent &parent : parents)
                placeChildren(parent, row, next);
            if (!row.empty())
                m_layout.rows.push_back(std::move(row));
            parents = std::move(next);
        }
        return std::move(m_layout);
    }

private:
    struct Parent {
        NodeId node;
        double left;
    };

    double extentOf(NodeId node) const { return m_tree.extent(node); }

    void placeChildren(const Parent &parent, FlameRow &row, std::vector<Parent> &next)
    {
        m_sorted.assign(m_tree.children(parent.node).begin(), m_tree.children(parent.node).end());
        std::ranges::sort(m_sorted, [this](NodeId a, NodeId b) { return precedes(a, b); });
        const std::size_t rowBegin = row.size();
        double left = parent.left;
        for (const NodeId child : m_sorted) {
            const double width = extentOf(child) * m_scale;
            if (width <= 0)
                continue;
            if (width >= kNarrowest) {
                row.push_back({.left = left,
                               .width = width,
                               .node = child,
                               .merged = 0,
                               .levels = 1,
                               .total = m_tree.total(child)});
                next.push_back({child, left});
            } else {
                merge(row, rowBegin, child, left, width);
            }
            left += width;
        }
    }

    /// Adds a narrow node to the run of its siblings on its left, if there is one, and else begins one. Runs
    /// end with their parent, so that every box stays inside the one above it.
    void merge(FlameRow &row, std::size_t rowBegin, NodeId node, double left, double width)
    {
        const std::uint32_t levels = m_tree.height(node);
        const bool continues = row.size() > rowBegin && row.back().merged > 0;
        if (!continues) {
            row.push_back({.left = left,
                           .width = width,
                           .node = node,
                           .merged = 1,
                           .levels = levels,
                           .total = m_tree.total(node)});
            return;
        }
        FlameBox &box = row.back();
        if (std::abs(static_cast<double>(m_tree.total(node))) >
            std::abs(static_cast<double>(m_tree.total(box.node))))
            box.node = node;
        ++box.merged;
        box.levels = std::max(box.levels, levels);
        box.width = left + width - box.left;
        Sum total{box.total};
        total.add(m_tree.total(node));
        box.total = total.value;
    }

    bool precedes(NodeId a, NodeId b) const
    {
        const std::string_view aName = m_tree.entries()[m_tree.entryOf(a)].name;
        const std::string_view bName = m_tree.entries()[m_tree.entryOf(b)].name;
        if (m_order == FlameOrder::ByName)
            return aName < bName;
        return extentOf(a) != extentOf(b) ? extentOf(a) > extentOf(b) : aName < bName;
    }

    const CallTree &m_tree;
    FlameOrder m_order;
    double m_scale;
    FlameLayout m_layout;
    std::vector<NodeId> m_sorted;
};

} // namespace

const FlameBox *FlameLayout::at(std::size_t row, double x) const
{
    if (row >= rows.size())
        return nullptr;
    const auto behind = std::ranges::upper_bound(rows[row], x, {}, &FlameBox::left);
    if (behind == rows[row].begin())
        return nullptr;
    const FlameBox &box = *(behind - 1);
    return x < box.right() ? &box : nullptr;
}

std::optional<FlameLayout> layOutFlames(const CallTree &tree, NodeId focus, double width, FlameOrder order,
                                        const std::stop_token &stop)
{
    return Layout(tree, focus, width, order).run(focus, width, stop);
}

} // namespace hearth
