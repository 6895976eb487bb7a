#include "model/views/symbol_coverage.h"

#include <cmath>

namespace hearth {

namespace {

/// Entries without a function are called by their binary, in brackets, or by nothing at all.
bool hasName(const Entry &entry)
{
    if (entry.isTag)
        return true;
    if (entry.name == EntryTable::kUnknown)
        return false;
    const std::string_view binary = baseName(entry.binary);
    const bool isBinary = entry.name.size() == binary.size() + 2 && entry.name.front() == '[' &&
                          entry.name.substr(1, binary.size()) == binary;
    return !isBinary || entry.binary.empty();
}

} // namespace

std::optional<double> namedShareOf(const CallTree &tree, const std::stop_token &stop)
{
    std::vector<bool> isNamed(tree.entries().size());
    for (std::size_t entry = 0; entry < isNamed.size(); ++entry)
        isNamed[entry] = hasName(tree.entries()[EntryId(entry)]);
    double named = 0;
    double all = 0;
    for (std::size_t node = 1; node < tree.nodeCount(); ++node) {
        if ((node & 0xffff) == 0 && stop.stop_requested())
            return std::nullopt;
        const double self = std::abs(static_cast<double>(tree.self(NodeId(node))));
        all += self;
        if (isNamed[tree.entryOf(NodeId(node)).value])
            named += self;
    }
    return all == 0 ? 1 : named / all;
}

} // namespace hearth
