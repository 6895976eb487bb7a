#include "model/lens/matcher.h"
#include "ui/flame/flame_view.h"

#include <algorithm>

// Searching in the flame graph.

namespace hearth {

QString FlameView::search(const QString &expression)
{
    if (!expression.isEmpty())
        if (const auto matcher = Matcher::regex("(?i)" + expression.toStdString()); !matcher)
            return QString::fromStdString(matcher.error().message);
    m_search = expression;
    applySearch();
    viewport()->update();
    return {};
}

void FlameView::applySearch()
{
    m_scene.matches.clear();
    m_matchingEntries = 0;
    m_matchedWeight = 0;
    if (m_search.isEmpty() || !m_scene.evaluation)
        return;
    const auto matcher = Matcher::regex("(?i)" + m_search.toStdString());
    const CallTree &tree = *m_scene.evaluation->tree;
    m_scene.matches.resize(tree.entries().size());
    for (std::size_t i = 0; i < m_scene.matches.size(); ++i)
        m_scene.matches[i] = matcher->matches(tree.entries()[EntryId(i)].name);
    m_matchingEntries = static_cast<std::size_t>(std::ranges::count(m_scene.matches, true));
    // What runs through a match counts once, where the first match is.
    std::vector<bool> isBelow(tree.nodeCount());
    for (std::size_t node = 1; node < tree.nodeCount(); ++node) {
        const NodeId id(node);
        const bool isMatch = m_scene.isMatch(tree.entryOf(id));
        const bool isParentBelow = isBelow[tree.parent(id).value];
        if (isMatch && !isParentBelow)
            m_matchedWeight += tree.total(id);
        isBelow[node] = isMatch || isParentBelow;
    }
}

void FlameView::selectMatch(bool forward)
{
    if (!m_scene.layout || m_scene.matches.empty())
        return;
    std::vector<NodeId> found;
    for (const FlameRow &row : m_scene.layout->rows)
        for (const FlameBox &box : row)
            if (box.merged == 0 && m_scene.isMatch(m_scene.evaluation->tree->entryOf(box.node)))
                found.push_back(box.node);
    if (found.empty())
        return;
    const auto current = std::ranges::find(found, m_scene.selectedNode);
    const auto size = static_cast<std::ptrdiff_t>(found.size());
    const std::ptrdiff_t index = current == found.end()
                                     ? (forward ? 0 : size - 1)
                                     : (current - found.begin() + (forward ? 1 : size - 1)) % size;
    select(found[static_cast<std::size_t>(index)]);
    ensureVisible(found[static_cast<std::size_t>(index)]);
}

} // namespace hearth
