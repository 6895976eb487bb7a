#pragma once

#include "model/views/span_table.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace hearth {

/// Spans as trees: parents before children, so that whatever goes up or down them is one loop.
///
/// Where spans are ancestors of each other, the first of them to have arrived becomes a root.
struct SpanOrder {
    std::vector<SpanRow> rows;          ///< every span once, parents first
    std::vector<SpanRow> parents;       ///< by span; none for roots, and for spans whose parent is missing
    std::vector<std::uint8_t> isCyclic; ///< by span: whether it was an ancestor of itself; empty if none was
    std::uint64_t cyclic = 0;           ///< how many were

    /// @return nothing if stopped
    static std::optional<SpanOrder> of(const SpanTable &table, const std::stop_token &stop = {});
};

} // namespace hearth
