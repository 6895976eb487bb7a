#include "model/lens/matcher.h"
#include "ui/chart/chart_view.h"

#include <algorithm>

// Searching in the time chart.

namespace hearth {

QString ChartView::search(const QString &expression)
{
    if (!expression.isEmpty())
        if (const auto matcher = Matcher::regex("(?i)" + expression.toStdString()); !matcher)
            return QString::fromStdString(matcher.error().message);
    m_search = expression;
    applySearch();
    viewport()->update();
    return {};
}

void ChartView::applySearch()
{
    m_scene.matches.clear();
    m_matchingEntries = 0;
    if (m_search.isEmpty() || !m_scene.chart)
        return;
    const auto matcher = Matcher::regex("(?i)" + m_search.toStdString());
    const EntriesView &entries = *m_scene.chart->entries;
    std::vector<bool> isFound(entries.size());
    for (std::size_t entry = 0; entry < isFound.size(); ++entry)
        isFound[entry] = matcher->matches(entries[EntryId(entry)].name);
    m_matchingEntries = static_cast<std::size_t>(std::ranges::count(isFound, true));
    const std::vector<ShapeNode> &nodes = m_scene.chart->tree.nodes;
    m_scene.matches.resize(nodes.size());
    for (std::size_t node = 1; node < nodes.size(); ++node) {
        const bool isMatch = isFound[nodes[node].entry.value];
        const bool isBelow = (m_scene.matches[nodes[node].parent.value] & ChartScene::kIsBelowMatch) != 0;
        m_scene.matches[node] = static_cast<std::uint8_t>(
            (isMatch ? ChartScene::kIsMatch : 0) | (isMatch || isBelow ? ChartScene::kIsBelowMatch : 0));
    }
}

void ChartView::selectMatch(bool forward)
{
    if (m_matchingEntries == 0 || m_scene.rows.empty())
        return;
    const auto isFound = [&](const StackLane &stacks, std::size_t stretch) {
        return (m_scene.matches[stacks[stretch].node.value] & ChartScene::kIsBelowMatch) != 0;
    };
    const auto rows = std::ssize(m_scene.rows);
    std::ptrdiff_t row = 0;
    std::ptrdiff_t stretch = -1;
    if (m_scene.current) {
        row = std::ranges::find(m_scene.rows, m_scene.current->lane, &ChartRow::lane) - m_scene.rows.begin();
        stretch = static_cast<std::ptrdiff_t>(m_scene.current->stretch);
    }
    for (std::ptrdiff_t visited = 0; visited <= rows; ++visited) {
        const std::size_t lane = m_scene.rows[static_cast<std::size_t>(row)].lane;
        const StackLane &stacks = m_scene.chart->lanes[lane].stacks;
        const auto size = static_cast<std::ptrdiff_t>(stacks.size());
        for (stretch += forward ? 1 : -1; stretch >= 0 && stretch < size; stretch += forward ? 1 : -1)
            if (isFound(stacks, static_cast<std::size_t>(stretch)))
                return setCurrent({lane, static_cast<std::size_t>(stretch)});
        row = (row + (forward ? 1 : rows - 1)) % rows;
        const std::size_t next = m_scene.rows[static_cast<std::size_t>(row)].lane;
        stretch = forward ? -1 : static_cast<std::ptrdiff_t>(m_scene.chart->lanes[next].stacks.size());
    }
}

} // namespace hearth
