#pragma once

#include "model/views/top_table.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace hearth {

/// What rows of a top table are ordered by.
enum class RowKey : std::uint8_t { Self, Total, Name, Place, Binary, Kind };
struct RowOrder {
    RowKey key = RowKey::Self;
    bool isDescending = true;

    bool operator==(const RowOrder &) const = default;
};

/// Where each row of a table stands by its name: ordering by that takes a tenth of the time that names take.
using NameRanks = std::vector<std::uint32_t>;

/// @return nothing if stopped
std::optional<NameRanks> nameRanksOf(const TopTable &table, const std::stop_token &stop);

/// Which rows have all words of a filter in their name, file or binary, in order.
/// @param orders the first counts; what is alike by it is ordered by the next, and in the end as in the table
/// @param ranks of the table, if they are known
/// @return nothing if stopped
std::optional<std::vector<std::uint32_t>> arrangedRows(const TopTable &table, std::string_view filter,
                                                       std::span<const RowOrder> orders,
                                                       const std::stop_token &stop,
                                                       const NameRanks *ranks = nullptr);

} // namespace hearth
