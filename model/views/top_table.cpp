#include "model/views/top_table.h"

#include "model/views/entry_weights.h"
#include "model/views/stack_weights.h"

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

/// Rows have texts; while it is not settled which are wanted, their weights and places will do.
struct Candidate {
    std::uint64_t first = 0; ///< size of the weight that the order is by
    std::uint64_t second = 0;
    std::uint32_t row = 0;
};

/// Leaves the heaviest candidates, in order. @param nameOf tells apart what weighs the same
template <class NameOf>
void keepHeaviest(std::vector<Candidate> &candidates, std::size_t limit, NameOf nameOf)
{
    const auto isBefore = [&](const Candidate &a, const Candidate &b) {
        return a.first != b.first     ? a.first > b.first
               : a.second != b.second ? a.second > b.second
                                      : nameOf(a.row) < nameOf(b.row);
    };
    if (limit > 0 && limit < candidates.size()) {
        std::ranges::nth_element(candidates, candidates.begin() + static_cast<std::ptrdiff_t>(limit),
                                 isBefore);
        candidates.resize(limit);
    }
    std::ranges::sort(candidates, isBefore);
}

void addEntries(const EntriesView &entries, const EntryWeights &weights, TopOrder order, std::size_t limit,
                TopTable &table)
{
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (weights.self[i] != 0 || weights.total[i] != 0)
            candidates.push_back(
                {absolute(weights.self[i]), absolute(weights.total[i]), static_cast<std::uint32_t>(i)});
    if (order == TopOrder::Total)
        for (Candidate &candidate : candidates)
            std::swap(candidate.first, candidate.second);
    table.rowCount = candidates.size();
    keepHeaviest(candidates, limit, [&](std::uint32_t row) { return entries[EntryId(row)].name; });
    table.rows.reserve(candidates.size());
    for (const Candidate &candidate : candidates) {
        const Entry &entry = entries[EntryId(candidate.row)];
        table.rows.push_back({.name = entry.name,
                              .file = entry.file,
                              .binary = entry.binary,
                              .line = entry.line,
                              .self = weights.self[candidate.row],
                              .total = weights.total[candidate.row],
                              .kind = entry.kind,
                              .isNameless = entry.isNameless});
    }
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
                                  .total = total,
                                  .kind = {}});
    }
}

} // namespace

std::optional<TopTable> topTable(const CallTree &tree, TopOrder order, std::size_t groupDepth,
                                 std::size_t limit, const std::stop_token &stop)
{
    TopTable table{{}, {}, tree.entries()};
    if (groupDepth == 0) {
        const auto weights = entryWeights(tree, stop);
        if (!weights)
            return std::nullopt;
        addEntries(tree.entries(), *weights, order, limit, table);
        return table;
    }
    addGroups(tree, TreeShape::kRoot, groupDepth, {}, table);
    table.rowCount = table.rows.size();
    std::ranges::sort(table.rows, [](const TopRow &a, const TopRow &b) {
        return isHeavier(a.total, a.name, b.total, b.name);
    });
    if (limit > 0 && limit < table.rows.size())
        table.rows.resize(limit);
    return table;
}

} // namespace hearth
