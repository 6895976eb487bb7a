#include "model/views/stack_lane.h"

#include <algorithm>
#include <array>
#include <limits>

namespace hearth {

namespace {

constexpr std::uint32_t kMostLevels = std::numeric_limits<std::uint16_t>::max() - 1;

/// Threads go back and forth between few stacks: what two of them have in common is remembered.
class CommonLevels {
public:
    explicit CommonLevels(const ChartTree &tree) : m_tree(tree) {}

    std::uint32_t of(NodeId a, NodeId b)
    {
        if (a == b)
            return m_tree.levels[a.value];
        Known &known = m_known[(a.value * 0x9e3779b1U ^ b.value * 0x85ebca6bU) >> 20U];
        if (known.a != a || known.b != b)
            known = {a, b, m_tree.common(a, b)};
        return known.levels;
    }

private:
    struct Known {
        NodeId a = NodeId::none();
        NodeId b = NodeId::none();
        std::uint32_t levels = 0;
    };
    const ChartTree &m_tree;
    std::array<Known, 4096> m_known{};
};

} // namespace

ChartTree::ChartTree(std::span<const ShapeNode> shape)
    : nodes(shape.begin(), shape.end()), levels(shape.size())
{
    for (std::size_t node = 1; node < nodes.size(); ++node)
        levels[node] = static_cast<std::uint16_t>(
            std::min<std::uint32_t>(levels[nodes[node].parent.value] + 1U, kMostLevels));
}

NodeId ChartTree::at(NodeId node, std::uint32_t level) const
{
    while (levels[node.value] > level)
        node = nodes[node.value].parent;
    return node;
}

std::uint32_t ChartTree::common(NodeId a, NodeId b) const
{
    while (a != b) {
        NodeId &later = a.value > b.value ? a : b; // parents precede children
        later = nodes[later.value].parent;
    }
    return levels[a.value];
}

StackLane::StackLane(std::vector<Stretch> stretches, const ChartTree &tree)
    : m_stretches(std::move(stretches))
{
    if (!std::ranges::is_sorted(m_stretches, {}, &Stretch::begin))
        std::ranges::stable_sort(m_stretches, {}, &Stretch::begin);
    settleEnds();
    compare(tree);
}

void StackLane::settleEnds()
{
    for (std::size_t i = 0; i + 1 < m_stretches.size(); ++i) {
        Stretch &stretch = m_stretches[i];
        const std::int64_t next = m_stretches[i + 1].begin;
        const std::int64_t slack = stretch.isWaiting ? 0 : stretch.length() / 2;
        if (next - stretch.end <= slack)
            stretch.end = next;
    }
}

void StackLane::compare(const ChartTree &tree)
{
    const std::size_t count = m_stretches.size();
    m_levels.resize(count);
    m_common.resize(count);
    CommonLevels common(tree);
    for (std::size_t i = 0; i < count; ++i) {
        const Stretch &stretch = m_stretches[i];
        m_levels[i] =
            static_cast<std::uint16_t>(tree.levels[stretch.node.value] + (stretch.isWaiting ? 1 : 0));
        m_height = std::max<std::uint32_t>(m_height, m_levels[i]);
        if (i == 0 || m_stretches[i - 1].end < stretch.begin)
            continue;
        const Stretch &before = m_stretches[i - 1];
        const bool isSameWait = before.isWaiting && stretch.isWaiting && before.node == stretch.node;
        m_common[i] = static_cast<std::uint16_t>(common.of(before.node, stretch.node) + (isSameWait ? 1 : 0));
    }
    m_deepest.resize((count + kFan - 1) / kFan);
    for (std::size_t i = 0; i < count; ++i)
        m_deepest[i / kFan] = std::max(m_deepest[i / kFan], m_levels[i]);
    for (const std::vector<std::uint16_t> *below = &m_common; below->size() > 1; below = &m_minima.back()) {
        std::vector<std::uint16_t> minima((below->size() + kFan - 1) / kFan);
        for (std::size_t i = 0; i < minima.size(); ++i) {
            const auto begin = below->begin() + static_cast<std::ptrdiff_t>(i * kFan);
            const auto end =
                below->begin() + static_cast<std::ptrdiff_t>(std::min((i + 1) * kFan, below->size()));
            minima[i] = *std::min_element(begin, end);
        }
        m_minima.push_back(std::move(minima));
    }
}

std::size_t StackLane::firstEndingAfter(std::int64_t time) const
{
    const auto found = std::ranges::partition_point(
        m_stretches, [time](const Stretch &stretch) { return stretch.end <= time; });
    return static_cast<std::size_t>(found - m_stretches.begin());
}

std::size_t StackLane::firstBeginningAt(std::int64_t time, std::size_t from) const
{
    std::size_t low = from;
    std::size_t step = 1;
    while (low + step < m_stretches.size() && m_stretches[low + step].begin < time) {
        low += step;
        step *= 2;
    }
    const auto begin = m_stretches.begin() + static_cast<std::ptrdiff_t>(low);
    const auto end =
        m_stretches.begin() + static_cast<std::ptrdiff_t>(std::min(low + step + 1, m_stretches.size()));
    const auto found =
        std::partition_point(begin, end, [time](const Stretch &stretch) { return stretch.begin < time; });
    return static_cast<std::size_t>(found - m_stretches.begin());
}

std::size_t StackLane::nextReaching(std::size_t index, std::uint32_t level) const
{
    std::size_t i = index;
    while (i < m_levels.size() && m_levels[i] < level)
        i += i % kFan == 0 && m_deepest[i / kFan] < level ? kFan : 1;
    return std::min(i, m_levels.size());
}

std::size_t StackLane::endOfBox(std::size_t index, std::uint32_t level) const
{
    // Up while whole runs have the level in common, down into the first that has not.
    std::size_t i = index + 1;
    std::size_t height = 0;
    const auto valueAt = [&](std::size_t at) {
        return height == 0 ? m_common[at] : m_minima[height - 1][at];
    };
    const auto sizeHere = [&] { return height == 0 ? m_common.size() : m_minima[height - 1].size(); };
    for (;;) {
        while (i < sizeHere() && (i % kFan != 0 || height == m_minima.size()) && valueAt(i) >= level)
            ++i;
        if (i >= sizeHere())
            return m_common.size();
        if (valueAt(i) < level)
            break;
        i /= kFan;
        ++height;
    }
    while (height > 0) {
        --height;
        i *= kFan;
        while (valueAt(i) >= level)
            ++i;
    }
    return i;
}

std::size_t StackLane::beginOfBox(std::size_t index, std::uint32_t level) const
{
    std::size_t i = index;
    while (i > 0 && m_common[i] >= level) {
        // A whole run before this one that has the level in common is passed at once.
        if (i % kFan == kFan - 1 && !m_minima.empty() && m_minima[0][i / kFan] >= level && i >= kFan)
            i -= kFan;
        else
            --i;
    }
    return i;
}

} // namespace hearth
