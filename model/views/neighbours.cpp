#include "model/views/neighbours.h"

#include "model/views/stack_weights.h"

#include <algorithm>

namespace hearth {

namespace {

/// Walks the tree in depth, counting the calls from and to the entry that are on the way from the root.
class Walker {
public:
    Walker(const CallTree &tree, EntryId entry)
        : m_tree(tree), m_entry(entry), m_callers(tree.entries().size()), m_callees(tree.entries().size()),
          m_callerOnPath(tree.entries().size()), m_calleeOnPath(tree.entries().size())
    {}

    std::optional<Neighbours> run(const std::stop_token &stop)
    {
        std::vector<Step> steps;
        pushChildren(TreeShape::kRoot, steps);
        for (std::size_t count = 0; !steps.empty(); ++count) {
            if ((count & 0xffff) == 0 && stop.stop_requested())
                return std::nullopt;
            const Step step = steps.back();
            steps.pop_back();
            visit(step);
            if (step.isLeaving)
                continue;
            steps.push_back({step.node, true});
            pushChildren(step.node, steps);
        }
        collect(m_callers, m_result.callers);
        collect(m_callees, m_result.callees);
        return std::move(m_result);
    }

private:
    struct Step {
        NodeId node;
        bool isLeaving;
    };

    void pushChildren(NodeId node, std::vector<Step> &steps)
    {
        for (const NodeId child : m_tree.children(node))
            steps.push_back({child, false});
    }

    void visit(const Step &step)
    {
        const NodeId parent = m_tree.parent(step.node);
        const EntryId entry = m_tree.entryOf(step.node);
        const bool hasCaller = parent != TreeShape::kRoot;
        const EntryId caller = hasCaller ? m_tree.entryOf(parent) : EntryId::none();
        const std::int64_t total = m_tree.total(step.node);
        if (entry == m_entry) {
            if (!step.isLeaving)
                addTo(m_result.self, m_tree.self(step.node));
            count(m_entryOnPath, step, total, m_result.total);
            if (hasCaller)
                count(m_callerOnPath[caller.value], step, total, m_callers[caller.value]);
        }
        if (hasCaller && caller == m_entry)
            count(m_calleeOnPath[entry.value], step, total, m_callees[entry.value]);
    }

    /// Adds the weight if this call is not on the path yet.
    static void count(std::uint32_t &onPath, const Step &step, std::int64_t total, std::int64_t &sum)
    {
        if (step.isLeaving) {
            --onPath;
            return;
        }
        if (onPath++ == 0)
            addTo(sum, total);
    }

    void collect(const std::vector<std::int64_t> &weights, std::vector<Neighbour> &to) const
    {
        for (std::size_t i = 0; i < weights.size(); ++i)
            if (weights[i] != 0)
                to.push_back({EntryId(i), weights[i]});
        std::ranges::sort(to, [this](const Neighbour &a, const Neighbour &b) {
            return isHeavier(a.total, m_tree.entries()[a.entry].name, b.total,
                             m_tree.entries()[b.entry].name);
        });
    }

    const CallTree &m_tree;
    EntryId m_entry;
    Neighbours m_result;
    std::vector<std::int64_t> m_callers; ///< by entry
    std::vector<std::int64_t> m_callees;
    std::vector<std::uint32_t> m_callerOnPath;
    std::vector<std::uint32_t> m_calleeOnPath;
    std::uint32_t m_entryOnPath = 0;
};

} // namespace

std::optional<Neighbours> neighboursOf(const CallTree &tree, EntryId entry, const std::stop_token &stop)
{
    return Walker(tree, entry).run(stop);
}

std::optional<EntryId> entryNamed(const CallTree &tree, std::string_view name)
{
    for (std::size_t i = 0; i < tree.entries().size(); ++i)
        if (tree.entries()[EntryId(i)].name == name)
            return EntryId(i);
    return std::nullopt;
}

} // namespace hearth
