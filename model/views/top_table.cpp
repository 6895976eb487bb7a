#include "model/views/top_table.h"

#include <algorithm>

namespace hearth {

namespace {

struct Weights {
    std::vector<std::int64_t> self;
    std::vector<std::int64_t> total;
};

void addTo(std::int64_t &sum, std::int64_t more)
{
    Sum checked{sum};
    checked.add(more);
    sum = checked.value;
}

/// Walks the tree in depth, keeping count of the entries on the way from the root.
std::optional<Weights> weighEntries(const CallTree &tree, const std::stop_token &stop)
{
    Weights weights;
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

std::vector<TopRow> rowsOfEntries(const EntriesView &entries, const Weights &weights)
{
    std::vector<TopRow> rows;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (weights.self[i] == 0 && weights.total[i] == 0)
            continue;
        const Entry &entry = entries[EntryId(i)];
        rows.push_back({.name = entry.name,
                        .file = entry.file,
                        .binary = entry.binary,
                        .line = entry.line,
                        .self = weights.self[i],
                        .total = weights.total[i]});
    }
    return rows;
}

void addGroups(const CallTree &tree, NodeId node, std::size_t depth, const std::string &name, TopTable &table)
{
    for (const NodeId child : tree.children(node)) {
        std::string joined = (name.empty() ? std::string() : name + ", ") +
                             std::string(tree.entries()[tree.entryOf(child)].name);
        if (depth > 1)
            addGroups(tree, child, depth - 1, joined, table);
        else if (const std::int64_t total = tree.total(child); total != 0)
            table.rows.push_back({.name = table.groupNames.emplace_back(std::move(joined)),
                                  .file = {},
                                  .binary = {},
                                  .line = 0,
                                  .self = total,
                                  .total = total});
    }
}

} // namespace

std::optional<TopTable> topTable(const CallTree &tree, TopOrder order, std::size_t groupDepth,
                                 const std::stop_token &stop)
{
    TopTable table{{}, {}, tree.entries()};
    if (groupDepth > 0) {
        addGroups(tree, TreeShape::kRoot, groupDepth, {}, table);
    } else {
        const auto weights = weighEntries(tree, stop);
        if (!weights)
            return std::nullopt;
        table.rows = rowsOfEntries(tree.entries(), *weights);
    }
    const auto first = order == TopOrder::Self ? &TopRow::self : &TopRow::total;
    const auto second = order == TopOrder::Self ? &TopRow::total : &TopRow::self;
    std::ranges::sort(table.rows, [=](const TopRow &a, const TopRow &b) {
        if (a.*first != b.*first)
            return isHeavier(a.*first, {}, b.*first, {});
        return isHeavier(a.*second, a.name, b.*second, b.name);
    });
    return table;
}

} // namespace hearth
