#include "model/views/difference.h"

#include "model/views/merged_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hearth {

namespace {

double magnitude(std::int64_t value)
{
    return static_cast<double>(absolute(value));
}

/// The absolute value, at the limit if that does not fit.
std::int64_t sizeOf(std::int64_t value)
{
    constexpr auto kLimit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(absolute(value), kLimit));
}

/// By node of `weights`, how often samples were seen to end in it; empty if that is what they weigh.
std::optional<std::vector<double>> eventsByNode(const DifferenceSide &side, const std::stop_token &stop)
{
    if (side.events == side.weights)
        return std::vector<double>();
    const CallTree &weights = *side.weights->tree;
    const CallTree &events = *side.events->tree;
    std::vector<double> counts(weights.nodeCount());
    const auto add = [&](NodeId of, NodeId to) {
        counts[to.value] += magnitude(events.self(of)) / side.eventWeight;
    };
    if (side.weights->groupDepth == 0) { // the same stacks make the same nodes, whatever they weigh
        for (std::size_t node = 0; node < std::min(weights.nodeCount(), events.nodeCount()); ++node)
            add(NodeId(node), NodeId(node));
        return counts;
    }
    const auto merged = mergeTrees(events, weights, Granularity::Address, stop);
    if (!merged)
        return std::nullopt;
    for (std::size_t node = 0; node < events.nodeCount(); ++node)
        if (const NodeId same = merged->ofBase[node]; same.value < weights.nodeCount())
            add(NodeId(node), same);
    return counts;
}

/// By how much what a node weighs itself varies by chance.
/// @param events by node; empty if weights are observations
double varianceOf(const DifferenceSide &side, const std::vector<double> &events, NodeId node)
{
    const double weight = magnitude(side.weights->tree->self(node));
    return events.empty() ? weight * side.eventWeight : weight * weight / std::max(1.0, events[node.value]);
}

/// What a node weighs on one side.
struct Part {
    std::int64_t weight = 0;
    double variance = 0;

    void add(const Part &more)
    {
        addTo(weight, more.weight);
        variance += more.variance;
    }
};

/// Both sides of a node, next to each other: they are looked at together.
struct Parts {
    Part base;
    Part current;

    void add(const Parts &more)
    {
        base.add(more.base);
        current.add(more.current);
    }
};

class Comparison {
public:
    Comparison(MergedTree merged, const Scaling &scaling)
        : m_merged(std::move(merged)), m_scaling(scaling), m_parts(m_merged.nodes.size())
    {}

    bool fill(const DifferenceSide &base, const DifferenceSide &current, const std::stop_token &stop)
    {
        const auto baseEvents = eventsByNode(base, stop);
        const auto currentEvents = eventsByNode(current, stop);
        if (!baseEvents || !currentEvents || stop.stop_requested())
            return false;
        const double squared = m_scaling.factor * m_scaling.factor;
        const CallTree &baseTree = *base.weights->tree;
        const CallTree &currentTree = *current.weights->tree;
        for (std::size_t i = 0; i < baseTree.nodeCount(); ++i)
            m_parts[m_merged.ofBase[i].value].base.add(
                {baseTree.self(NodeId(i)), varianceOf(base, *baseEvents, NodeId(i))});
        for (std::size_t i = 0; i < currentTree.nodeCount(); ++i)
            m_parts[i].current = {scaledBy(currentTree.self(NodeId(i)), m_scaling.factor),
                                  varianceOf(current, *currentEvents, NodeId(i)) * squared};
        m_whole = magnitude(base.weights->selected);
        return true;
    }

    /// @return nothing if stopped
    std::optional<Difference> finish(const std::stop_token &stop)
    {
        Difference difference;
        difference.self = changes();
        for (std::size_t node = m_merged.nodes.size(); node-- > 1;)
            m_parts[m_merged.nodes[node].parent.value].add(m_parts[node]);
        difference.total = changes();
        if (stop.stop_requested())
            return std::nullopt;
        std::vector<std::int64_t> deltas(difference.self.size());
        std::ranges::transform(difference.self, deltas.begin(), &Change::delta);
        auto tree = CallTree::build(m_merged.nodes, m_merged.entries, std::move(deltas), stop,
                                    std::move(m_merged.isInlined));
        if (!tree)
            return std::nullopt;
        difference.tree = std::make_shared<const CallTree>(std::move(*tree));
        return difference;
    }

private:
    std::vector<Change> changes() const
    {
        std::vector<Change> changes;
        changes.reserve(m_parts.size());
        for (const auto &[base, current] : m_parts)
            changes.push_back(
                {base.weight, current.weight, shareVarianceOf(base) + shareVarianceOf(current)});
        return changes;
    }

    double shareVarianceOf(const Part &part) const
    {
        if (!m_scaling.isOfShares || m_whole <= 0)
            return part.variance;
        return part.variance * std::max(0.0, 1 - magnitude(part.weight) / m_whole);
    }

    MergedTree m_merged;
    Scaling m_scaling;
    double m_whole = 0;
    std::vector<Parts> m_parts; ///< by node
};

} // namespace

std::int64_t scaledBy(std::int64_t value, double factor)
{
    if (factor == 1)
        return value;
    constexpr double kLimit = 9.2e18;
    const double scaled = std::round(static_cast<double>(value) * factor);
    return scaled > kLimit    ? std::numeric_limits<std::int64_t>::max()
           : scaled < -kLimit ? std::numeric_limits<std::int64_t>::min()
                              : static_cast<std::int64_t>(scaled);
}

std::int64_t Change::delta() const
{
    std::int64_t delta = 0;
    if (__builtin_sub_overflow(current, base, &delta))
        return current > base ? std::numeric_limits<std::int64_t>::max()
                              : std::numeric_limits<std::int64_t>::min();
    return delta;
}

double Change::z() const
{
    const double difference = magnitude(delta());
    const double both = magnitude(base) + magnitude(current);
    if (difference == 0 || variance <= 0)
        return 0;
    const double step = variance / both;
    const double z = std::max(0.0, difference - step) / std::sqrt(variance);
    return delta() < 0 ? -z : z;
}

bool Change::isSignificant() const
{
    return std::abs(z()) > kSignificant;
}

std::optional<double> Change::growth() const
{
    if (base == 0)
        return std::nullopt;
    return static_cast<double>(delta()) / magnitude(base);
}

std::optional<Difference> differenceOf(const DifferenceSide &base, const DifferenceSide &current,
                                       Granularity granularity, const Scaling &scaling,
                                       const std::stop_token &stop)
{
    auto merged = mergeTrees(*base.weights->tree, *current.weights->tree, granularity, stop);
    if (!merged)
        return std::nullopt;
    Comparison comparison(std::move(*merged), scaling);
    if (!comparison.fill(base, current, stop))
        return std::nullopt;
    auto difference = comparison.finish(stop);
    if (!difference)
        return std::nullopt;
    difference->series = current.weights->series;
    difference->groupDepth = current.weights->groupDepth;
    difference->scaling = scaling;
    difference->base = base.weights;
    difference->current = current.weights;
    difference->warning = current.weights->warning.empty() ? base.weights->warning : current.weights->warning;
    difference->overflowed = base.weights->overflowed || current.weights->overflowed;
    return difference;
}

std::optional<CallTree> treeOfBothSides(const Difference &difference, const std::stop_token &stop)
{
    const CallTree &tree = *difference.tree;
    std::vector<ShapeNode> nodes(tree.nodeCount());
    std::vector<std::int64_t> self(tree.nodeCount());
    std::vector<bool> isInlined(tree.nodeCount());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const NodeId node(i);
        nodes[i] = {tree.parent(node), tree.entryOf(node)};
        isInlined[i] = tree.isInlined(node);
        self[i] = sizeOf(difference.self[i].base);
        addTo(self[i], sizeOf(difference.self[i].current));
    }
    return CallTree::build(nodes, tree.entries(), std::move(self), stop, std::move(isInlined));
}

} // namespace hearth
