#include "model/views/merged_tree.h"

#include <utility>

namespace hearth {

namespace {

class Merge {
public:
    Merge(const CallTree &base, const CallTree &current, MergedEntries entries)
        : m_base(base), m_current(current), m_ofBaseEntry(std::move(entries.ofBase)),
          m_childOfEntry(entries.entries.size()),
          m_merged{{}, {}, std::vector(base.nodeCount(), NodeId::none()), std::move(entries.entries)}
    {
        m_merged.nodes.reserve(current.nodeCount());
        m_merged.isInlined.reserve(current.nodeCount());
        for (std::size_t node = 0; node < current.nodeCount(); ++node)
            append({current.parent(NodeId(node)), current.entryOf(NodeId(node))},
                   current.isInlined(NodeId(node)));
        m_merged.ofBase[TreeShape::kRoot.value] = TreeShape::kRoot;
    }

    std::optional<MergedTree> run(const std::stop_token &stop)
    {
        constexpr std::size_t kBetweenLooks = 65536;
        for (std::size_t node = 0; node < m_base.nodeCount(); ++node) {
            if (node % kBetweenLooks == 0 && stop.stop_requested())
                return std::nullopt;
            if (!m_base.children(NodeId(node)).empty())
                mergeChildren(NodeId(node));
        }
        return std::move(m_merged);
    }

private:
    /// With its parent, so that few look at the node itself: they are anywhere in memory.
    struct Child {
        NodeId node = NodeId::none();
        NodeId parent = NodeId::none();
    };

    /// Parents precede children, so where the children's parent has come to is known.
    void mergeChildren(NodeId node)
    {
        const NodeId at = m_merged.ofBase[node.value];
        if (at.value < m_current.nodeCount())
            for (const NodeId child : m_current.children(at))
                m_childOfEntry[m_current.entryOf(child).value] = {child, at};
        for (const NodeId child : m_base.children(node)) {
            const EntryId entry = m_ofBaseEntry[m_base.entryOf(child).value];
            // What another parent has left there is not cleared away: it is a child of that parent.
            Child &known = m_childOfEntry[entry.value];
            if (known.parent != at) {
                known = {NodeId(m_merged.nodes.size()), at};
                append({at, entry}, m_base.isInlined(child));
            } else if (!m_base.isInlined(child)) {
                m_merged.isInlined[known.node.value] = false;
            }
            m_merged.ofBase[child.value] = known.node;
        }
    }

    void append(ShapeNode node, bool isInlined)
    {
        m_merged.nodes.push_back(node);
        m_merged.isInlined.push_back(isInlined);
    }

    const CallTree &m_base;
    const CallTree &m_current;
    std::vector<EntryId> m_ofBaseEntry;
    std::vector<Child> m_childOfEntry; ///< by merged entry: the child of some parent that was seen last
    MergedTree m_merged;
};

} // namespace

std::optional<MergedTree> mergeTrees(const CallTree &base, const CallTree &current, Granularity granularity,
                                     const std::stop_token &stop)
{
    return Merge(base, current, mergeEntries(base.entries(), current.entries(), granularity)).run(stop);
}

} // namespace hearth
