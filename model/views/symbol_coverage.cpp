#include "model/views/symbol_coverage.h"

#include <cmath>

namespace hearth {

std::optional<double> namedShareOf(const CallTree &tree, const std::stop_token &stop)
{
    double named = 0;
    double all = 0;
    for (std::size_t node = 1; node < tree.nodeCount(); ++node) {
        if ((node & 0xffff) == 0 && stop.stop_requested())
            return std::nullopt;
        const double self = std::abs(static_cast<double>(tree.self(NodeId(node))));
        all += self;
        if (!tree.entries()[tree.entryOf(NodeId(node))].isNameless)
            named += self;
    }
    return all == 0 ? 1 : named / all;
}

} // namespace hearth
