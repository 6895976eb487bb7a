#include "model/views/span_order.h"

#include <utility>

namespace hearth {

namespace {

class Walk {
public:
    explicit Walk(const SpanTable &table) : m_table(table), m_isPlaced(table.size())
    {
        m_order.rows.reserve(table.size());
        m_order.parents.resize(table.size(), SpanRow::none());
    }

    bool run(const std::stop_token &stop)
    {
        for (std::size_t i = 0; i < m_table.size(); ++i)
            if (m_table.parent(SpanRow(i)).isNone())
                place(SpanRow(i), SpanRow::none());
        if (!placeChildren(stop))
            return false;
        // What is left hangs from spans that are ancestors of each other.
        for (std::size_t i = 0; i < m_table.size(); ++i) {
            if (m_isPlaced[i])
                continue;
            const SpanRow root = cutAbove(SpanRow(i));
            place(root, SpanRow::none());
            if (!placeChildren(stop))
                return false;
        }
        return true;
    }

    SpanOrder take() && { return std::move(m_order); }

private:
    void place(SpanRow row, SpanRow parent)
    {
        m_isPlaced[row.value] = true;
        m_order.rows.push_back(row);
        m_order.parents[row.value] = parent;
    }

    /// Goes on until all below what was placed is placed.
    bool placeChildren(const std::stop_token &stop)
    {
        for (; m_next < m_order.rows.size(); ++m_next) {
            if ((m_next & 0xffffU) == 0 && stop.stop_requested())
                return false;
            const SpanRow row = m_order.rows[m_next];
            if (m_table.rowOf(m_table.link(row)) != row)
                continue; // of several spans with an id, one has the children
            for (SpanRow child = m_table.firstChild(m_table.link(row)); !child.isNone();
                 child = m_table.nextSibling(child))
                if (!m_isPlaced[child.value])
                    place(child, row);
        }
        return true;
    }

    /// Finds the cycle above a span and marks it. @return the first to arrive of those in it
    SpanRow cutAbove(SpanRow row)
    {
        m_order.isCyclic.resize(m_table.size());
        m_wasSeen.resize(m_table.size());
        while (!m_wasSeen[row.value]) { // all these will be placed below the cycle, and never be walked again
            m_wasSeen[row.value] = true;
            row = m_table.parent(row);
        }
        SpanRow first = row;
        for (SpanRow at = row; m_order.isCyclic[at.value] == 0; at = m_table.parent(at)) {
            m_order.isCyclic[at.value] = 1;
            ++m_order.cyclic;
            first = std::min(first, at);
        }
        return first;
    }

    const SpanTable &m_table;
    SpanOrder m_order;
    std::vector<bool> m_isPlaced;
    std::vector<bool> m_wasSeen;
    std::size_t m_next = 0;
};

} // namespace

std::optional<SpanOrder> SpanOrder::of(const SpanTable &table, const std::stop_token &stop)
{
    Walk walk(table);
    if (!walk.run(stop))
        return std::nullopt;
    return std::move(walk).take();
}

} // namespace hearth
