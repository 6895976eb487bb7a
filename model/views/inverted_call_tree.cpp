#include "model/views/inverted_call_tree.h"

#include "model/views/inverted_tree.h"

#include <utility>
#include <vector>

namespace hearth {

namespace {

class Inverter {
public:
    Inverter(const std::shared_ptr<const CallTree> &tree, std::size_t groupDepth,
             std::span<const std::string> focus, std::size_t resolution)
        : m_inverted(tree, groupDepth), m_focus(focus), m_resolution(static_cast<double>(resolution)),
          m_nodes(1), m_self(1)
    {}

    std::optional<CallTree> run(const std::stop_token &stop)
    {
        const CallTree &tree = m_inverted.tree();
        add({NodeId(), 0, tree.extent(TreeShape::kRoot) / m_resolution}, m_inverted.roots());
        while (!m_open.empty()) {
            if ((m_nodes.size() & 0xfff) == 0 && stop.stop_requested())
                return std::nullopt;
            expandLast();
        }
        return CallTree::build(m_nodes, tree.entries(), std::move(m_self), stop);
    }

private:
    static constexpr std::size_t kOffPath = ~std::size_t(0);

    /// What the children of a node inherit.
    struct Branch {
        NodeId parent;
        std::size_t onPath = kOffPath; ///< so many names of the focus have led here
        double least = 0;              ///< lighter nodes are not looked into
    };
    struct Open {
        InvertedId inverted;
        Branch branch;
    };

    void add(const Branch &branch, const std::vector<InvertedId> &children)
    {
        for (const InvertedId child : children) {
            const NodeId node(m_nodes.size());
            m_nodes.push_back({branch.parent, m_inverted.entryOf(child)});
            m_self.push_back(m_inverted.total(child));
            m_open.push_back({child, below(branch, node, child)});
        }
    }

    Branch below(const Branch &branch, NodeId node, InvertedId child) const
    {
        Branch result{node, kOffPath, branch.least};
        const std::string_view name = m_inverted.tree().entries()[m_inverted.entryOf(child)].name;
        if (branch.onPath >= m_focus.size() || m_focus[branch.onPath] != name)
            return result;
        result.onPath = branch.onPath + 1;
        if (result.onPath == m_focus.size())
            result.least = weightOf(child) / m_resolution;
        return result;
    }

    void expandLast()
    {
        const Open open = m_open.back();
        m_open.pop_back();
        const bool isOnPath = open.branch.onPath != kOffPath && open.branch.onPath < m_focus.size();
        if (weightOf(open.inverted) < open.branch.least && !isOnPath)
            return;
        m_self[open.branch.parent.value] = m_inverted.self(open.inverted);
        add(open.branch, m_inverted.expand(open.inverted));
    }

    double weightOf(InvertedId node) const { return static_cast<double>(absolute(m_inverted.total(node))); }

    InvertedTree m_inverted;
    std::span<const std::string> m_focus;
    double m_resolution;
    std::vector<ShapeNode> m_nodes;
    std::vector<std::int64_t> m_self;
    std::vector<Open> m_open;
};

} // namespace

std::optional<CallTree> invertedCallTree(const std::shared_ptr<const CallTree> &tree, std::size_t groupDepth,
                                         std::span<const std::string> focus, std::size_t resolution,
                                         const std::stop_token &stop)
{
    return Inverter(tree, groupDepth, focus, resolution).run(stop);
}

} // namespace hearth
