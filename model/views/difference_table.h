#pragma once

#include "model/views/difference.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

struct DifferenceRow {
    std::string_view name;
    std::string_view file;
    std::string_view binary;
    std::int64_t line = 0;
    Change self;
    Change total;
    bool isNameless = false;
};

enum class DifferenceOrder : std::uint8_t { Self, Total };

/// Rows, and what keeps their texts alive.
struct DifferenceTable {
    std::vector<DifferenceRow> rows;
    std::deque<std::string> groupNames;
    std::shared_ptr<const Difference> difference;
    std::size_t rowCount = 0;      ///< there would be without a limit
    std::uint64_t largestSelf = 0; ///< change of a row
    std::uint64_t largestTotal = 0;
};

/// One row per entry, or per group where there are groups, what changed most coming first. As in the top
/// table a stack counts once for an entry. Rows that weigh nothing on either side are left out.
/// @param limit at most so many rows; 0 for all
/// @return nothing if stopped
std::optional<DifferenceTable> differenceTable(const std::shared_ptr<const Difference> &difference,
                                               DifferenceOrder order, std::size_t limit,
                                               const std::stop_token &stop);

} // namespace hearth
