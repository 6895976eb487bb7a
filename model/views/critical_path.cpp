#include "model/views/critical_path.h"

#include <algorithm>
#include <tuple>

namespace hearth {

namespace {

/// The children of each row, those that ended last first.
class Children {
public:
    explicit Children(std::span<const WaterfallRow> rows) : m_begins(rows.size() + 1)
    {
        for (std::uint32_t row = 0; row < rows.size(); ++row)
            if (rows[row].parent != WaterfallRow::kNone)
                m_rows.push_back(row);
        std::ranges::sort(m_rows, {}, [&](std::uint32_t row) {
            return std::tuple(rows[row].parent, -rows[row].endNs(), row);
        });
        for (const std::uint32_t row : m_rows)
            ++m_begins[rows[row].parent + 1];
        for (std::size_t i = 1; i < m_begins.size(); ++i)
            m_begins[i] += m_begins[i - 1];
    }

    std::size_t begin(std::uint32_t row) const { return m_begins[row]; }
    std::size_t end(std::uint32_t row) const { return m_begins[row + 1]; }
    std::uint32_t operator[](std::size_t at) const { return m_rows[at]; }

private:
    std::vector<std::uint32_t> m_rows;
    std::vector<std::size_t> m_begins;
};

/// A span whose time back to its start is still to be accounted for.
struct Walk {
    std::uint32_t row;
    std::int64_t fromNs; ///< where it begins, as far as it is within its parent
    std::int64_t toNs;   ///< what is behind is accounted for
    std::size_t next;    ///< of its children
};

} // namespace

std::vector<CriticalStep> criticalPath(std::span<const WaterfallRow> rows)
{
    std::vector<CriticalStep> steps;
    const WaterfallRow *root = nullptr;
    for (const WaterfallRow &row : rows)
        if (row.parent == WaterfallRow::kNone && !row.span.isNone() &&
            (root == nullptr || row.durationNs > root->durationNs))
            root = &row;
    if (root == nullptr)
        return steps;
    const Children children(rows);
    const auto add = [&](std::uint32_t row, std::int64_t begin, std::int64_t end) {
        if (begin < end)
            steps.push_back({row, begin, end});
    };
    const auto first = static_cast<std::uint32_t>(root - rows.data());
    std::vector<Walk> walks{{first, root->startNs, root->endNs(), children.begin(first)}};
    while (!walks.empty()) {
        Walk &walk = walks.back();
        if (walk.next == children.end(walk.row) || walk.toNs <= walk.fromNs) {
            add(walk.row, walk.fromNs, walk.toNs);
            walks.pop_back();
            continue;
        }
        const std::uint32_t child = children[walk.next++];
        const std::int64_t begin = std::max(rows[child].startNs, walk.fromNs);
        const std::int64_t end = std::min(rows[child].endNs(), walk.toNs);
        if (begin >= end)
            continue;
        add(walk.row, end, walk.toNs);
        walk.toNs = begin;
        walks.push_back({child, begin, end, children.begin(child)}); // `walk` is gone
    }
    std::ranges::reverse(steps);
    return steps;
}

} // namespace hearth
