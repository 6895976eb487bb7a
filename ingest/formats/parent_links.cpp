#include "ingest/formats/parent_links.h"

#include <string>

namespace hearth {

namespace {

/// Walks from nodes to their callers until it comes to what it knows, and back.
class TableWalk {
public:
    TableWalk(ProfileBuilder &builder, std::span<const TableNode> nodes)
        : m_builder(builder), m_nodes(nodes), m_stacks(nodes.size()), m_states(nodes.size(), State::Unknown)
    {}

    std::vector<StackId> stacks()
    {
        for (std::uint32_t node = 0; node < m_nodes.size(); ++node)
            if (m_states[node] == State::Unknown)
                resolve(node);
        return std::move(m_stacks);
    }

private:
    enum class State : std::uint8_t { Unknown, Underway, Known };

    void resolve(std::uint32_t node)
    {
        StackId stack = ascend(node);
        for (; !m_path.empty(); m_path.pop_back()) {
            const std::uint32_t next = m_path.back();
            if (!m_nodes[next].frame.isNone())
                stack = m_builder.child(stack, m_nodes[next].frame);
            m_stacks[next] = stack;
            m_states[next] = State::Known;
        }
    }

    /// Puts the node and its callers on the path. @return the stack of the last one's caller
    StackId ascend(std::uint32_t node)
    {
        for (;;) {
            m_states[node] = State::Underway;
            m_path.push_back(node);
            const std::uint32_t parent = m_nodes[node].parent;
            if (parent == TableNode::kNoParent)
                return {};
            if (parent >= m_nodes.size() || m_states[parent] == State::Underway) {
                m_builder.losses().add(
                    Loss::UnknownReferences,
                    "the caller of node " + std::to_string(node) +
                        (parent >= m_nodes.size() ? " does not exist" : " is called by it"));
                return {};
            }
            if (m_states[parent] == State::Known)
                return m_stacks[parent];
            node = parent;
        }
    }

    ProfileBuilder &m_builder;
    std::span<const TableNode> m_nodes;
    std::vector<StackId> m_stacks;
    std::vector<State> m_states;
    std::vector<std::uint32_t> m_path;
};

} // namespace

std::vector<StackId> stacksOf(ProfileBuilder &builder, std::span<const TableNode> nodes)
{
    return TableWalk(builder, nodes).stacks();
}

} // namespace hearth
