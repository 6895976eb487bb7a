#pragma once

#include "model/views/difference_table.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace hearth {

/// What rows of a comparison are ordered by. Changes are ordered by their size, whichever way they go.
enum class DifferenceKey : std::uint8_t { Base, Current, Change, Growth, Verdict, Name, Place };

struct DifferenceArrangement {
    DifferenceOrder of = DifferenceOrder::Self; ///< which weight the key is of
    DifferenceKey key = DifferenceKey::Change;
    bool isDescending = true;
    bool hidesNoise = false; ///< only rows of which one weight changed by more than chance

    bool operator==(const DifferenceArrangement &) const = default;
};

/// Which rows have all words of a filter in their name, file or binary, in order; what is alike is ordered as
/// in the table.
/// @return nothing if stopped
std::optional<std::vector<std::uint32_t>> arrangedDifferences(const DifferenceTable &table,
                                                              std::string_view filter,
                                                              const DifferenceArrangement &arrangement,
                                                              const std::stop_token &stop);

} // namespace hearth
