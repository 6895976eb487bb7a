#include "model/views/difference_table.h"

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

struct EntryChange {
    Change self;
    Change total;
    std::uint32_t onPath = 0;

    bool isEmpty() const
    {
        return self.base == 0 && self.current == 0 && total.base == 0 && total.current == 0;
    }
};

void add(Change &sum, const Change &more)
{
    addTo(sum.base, more.base);
    addTo(sum.current, more.current);
    sum.variance += more.variance;
}

/// Walks the tree in depth, keeping count of the entries on the way from the root.
std::optional<std::vector<EntryChange>> entryChanges(const Difference &difference,
                                                     const std::stop_token &stop)
{
    const CallTree &tree = *difference.tree;
    std::vector<EntryChange> changes(tree.entries().size());
    struct Step {
        NodeId node;
        bool isLeaving;
    };
    std::vector<Step> steps{{TreeShape::kRoot, false}};
    std::size_t count = 0;
    while (!steps.empty()) {
        const Step step = steps.back();
        steps.pop_back();
        if (step.node != TreeShape::kRoot) {
            EntryChange &change = changes[tree.entryOf(step.node).value];
            if (step.isLeaving) {
                --change.onPath;
                continue;
            }
            if ((++count & 0xffff) == 0 && stop.stop_requested())
                return std::nullopt;
            add(change.self, difference.self[step.node.value]);
            if (change.onPath == 0)
                add(change.total, difference.total[step.node.value]);
            if (tree.children(step.node).empty())
                continue;
            ++change.onPath;
            steps.push_back({step.node, true});
        }
        for (const NodeId child : tree.children(step.node))
            steps.push_back({child, false});
    }
    return changes;
}

void addEntries(const Difference &difference, const std::vector<EntryChange> &changes, DifferenceTable &table)
{
    for (std::size_t i = 0; i < changes.size(); ++i) {
        if (changes[i].isEmpty())
            continue;
        const Entry &entry = difference.tree->entries()[EntryId(i)];
        table.rows.push_back({.name = entry.name,
                              .file = entry.file,
                              .binary = entry.binary,
                              .line = entry.line,
                              .self = changes[i].self,
                              .total = changes[i].total,
                              .isNameless = entry.isNameless});
    }
}

void addGroups(const Difference &difference, NodeId node, std::size_t depth, const std::string &name,
               DifferenceTable &table)
{
    const CallTree &tree = *difference.tree;
    for (const NodeId child : tree.children(node)) {
        std::string joined =
            (name.empty() ? name : name + ", ") + std::string(tree.entries()[tree.entryOf(child)].name);
        const Change &total = difference.total[child.value];
        if (depth > 1)
            addGroups(difference, child, depth - 1, joined, table);
        else if (total.base != 0 || total.current != 0)
            table.rows.push_back({.name = table.groupNames.emplace_back(std::move(joined)),
                                  .file = {},
                                  .binary = {},
                                  .line = 0,
                                  .self = total,
                                  .total = total});
    }
}

} // namespace

std::optional<DifferenceTable> differenceTable(const std::shared_ptr<const Difference> &difference,
                                               DifferenceOrder order, std::size_t limit,
                                               const std::stop_token &stop)
{
    DifferenceTable table{{}, {}, difference};
    if (difference->groupDepth > 0) {
        addGroups(*difference, TreeShape::kRoot, difference->groupDepth, {}, table);
    } else {
        const auto changes = entryChanges(*difference, stop);
        if (!changes)
            return std::nullopt;
        addEntries(*difference, *changes, table);
    }
    table.rowCount = table.rows.size();
    for (const DifferenceRow &row : table.rows) {
        table.largestSelf = std::max(table.largestSelf, absolute(row.self.delta()));
        table.largestTotal = std::max(table.largestTotal, absolute(row.total.delta()));
    }
    const auto weightOf = [order](const DifferenceRow &row) -> std::pair<std::uint64_t, std::uint64_t> {
        const std::uint64_t self = absolute(row.self.delta());
        const std::uint64_t total = absolute(row.total.delta());
        return order == DifferenceOrder::Self ? std::pair(self, total) : std::pair(total, self);
    };
    const auto precedes = [&](const DifferenceRow &a, const DifferenceRow &b) {
        const auto aWeight = weightOf(a);
        const auto bWeight = weightOf(b);
        return aWeight != bWeight ? aWeight > bWeight : a.name < b.name;
    };
    if (limit > 0 && limit < table.rows.size()) {
        std::ranges::partial_sort(table.rows, table.rows.begin() + static_cast<std::ptrdiff_t>(limit),
                                  precedes);
        table.rows.resize(limit);
    } else {
        std::ranges::sort(table.rows, precedes);
    }
    return table;
}

} // namespace hearth
