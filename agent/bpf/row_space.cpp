#include "agent/bpf/row_space.h"

#include <algorithm>

namespace hearth::agent {

std::optional<std::uint32_t> RowSpace::take(std::uint32_t count)
{
    const auto found =
        std::ranges::find_if(m_free, [count](const auto &range) { return range.second >= count; });
    if (found == m_free.end() || count == 0)
        return std::nullopt;
    const auto [first, size] = *found;
    m_free.erase(found);
    if (size > count)
        m_free.emplace(first + count, size - count);
    return first;
}

void RowSpace::recycle()
{
    for (const auto &[first, count] : m_givenBack)
        addFree(first, count);
    m_givenBack.clear();
}

void RowSpace::addFree(std::uint32_t first, std::uint32_t count)
{
    const auto behind = m_free.lower_bound(first);
    if (behind != m_free.end() && behind->first == first + count) {
        count += behind->second;
        m_free.erase(behind);
    }
    const auto at = m_free.lower_bound(first);
    if (at != m_free.begin() && std::prev(at)->first + std::prev(at)->second == first)
        std::prev(at)->second += count;
    else
        m_free.emplace(first, count);
}

} // namespace hearth::agent
