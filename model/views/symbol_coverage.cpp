#include "model/views/symbol_coverage.h"

#include <cmath>
#include <unordered_map>

namespace hearth {

std::optional<SymbolCoverage> symbolCoverageOf(const CallTree &tree, const std::stop_token &stop)
{
    std::unordered_map<std::string_view, double> nameless;
    double named = 0;
    double all = 0;
    for (std::size_t node = 1; node < tree.nodeCount(); ++node) {
        if ((node & 0xffff) == 0 && stop.stop_requested())
            return std::nullopt;
        const double self = std::abs(static_cast<double>(tree.self(NodeId(node))));
        const Entry &entry = tree.entries()[tree.entryOf(NodeId(node))];
        all += self;
        if (entry.isNameless)
            nameless[entry.binary] += self;
        else
            named += self;
    }
    SymbolCoverage coverage{.named = all == 0 ? 1 : named / all, .worst = {}};
    double most = 0;
    for (const auto &[binary, weight] : nameless)
        if (weight > most || (weight == most && binary < coverage.worst)) {
            most = weight;
            coverage.worst = binary;
        }
    return coverage;
}

std::string_view adviceFor(std::string_view path, const Snapshot &snapshot)
{
    for (std::size_t i = 0; i < snapshot.binaries.size(); ++i)
        if (const BinarySymbols *const symbols = snapshot.symbolsOf(BinaryId(i));
            symbols != nullptr && !symbols->advice.empty() &&
            snapshot.text(snapshot.binaries[i].path) == path)
            return symbols->advice;
    return {};
}

} // namespace hearth
