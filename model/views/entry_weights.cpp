#include "model/views/entry_weights.h"

#include "model/views/stack_weights.h"

namespace hearth {

/// Walks the tree in depth, keeping count of the entries on the way from the root.
std::optional<EntryWeights> entryWeights(const CallTree &tree, const std::stop_token &stop)
{
    EntryWeights weights;
    weights.self.resize(tree.entries().size());
    weights.total.resize(tree.entries().size());
    std::vector<std::uint32_t> onPath(tree.entries().size());
    struct Step {
        NodeId node;
        bool isLeaving;
    };
    std::vector<Step> steps;
    for (const NodeId child : tree.children(TreeShape::kRoot))
        steps.push_back({child, false});
    std::size_t count = 0;
    while (!steps.empty()) {
        const Step step = steps.back();
        steps.pop_back();
        const EntryId entry = tree.entryOf(step.node);
        if (step.isLeaving) {
            --onPath[entry.value];
            continue;
        }
        if ((++count & 0xffff) == 0 && stop.stop_requested())
            return std::nullopt;
        addTo(weights.self[entry.value], tree.self(step.node));
        if (onPath[entry.value] == 0)
            addTo(weights.total[entry.value], tree.total(step.node));
        const std::span<const NodeId> children = tree.children(step.node);
        if (children.empty())
            continue;
        ++onPath[entry.value];
        steps.push_back({step.node, true});
        for (const NodeId child : children)
            steps.push_back({child, false});
    }
    return weights;
}

} // namespace hearth
