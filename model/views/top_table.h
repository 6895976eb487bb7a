#pragma once

#include "model/views/call_tree.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

struct TopRow {
    std::string_view name;
    std::string_view file;
    std::string_view binary;
    std::int64_t line = 0;
    std::int64_t self = 0;
    std::int64_t total = 0;
    StringId kind = {}; ///< of the frames, as sent
    bool isNameless = false;
};

/// Rows, and what keeps their texts alive.
struct TopTable {
    std::vector<TopRow> rows;
    std::deque<std::string> groupNames;
    EntriesView entries;
    std::size_t rowCount = 0; ///< there would be without a limit
};

enum class TopOrder : std::uint8_t { Self, Total };

/// One row per entry: what it weighs itself, and with what it calls. A stack counts once for an entry,
/// however often the entry recurs in it. Rows without any weight are left out.
/// @param groupDepth > 0: one row per group instead, that being the nodes of this depth
/// @param limit at most so many rows, the heaviest; 0 for all
/// @return nothing if stopped
std::optional<TopTable> topTable(const CallTree &tree, TopOrder order, std::size_t groupDepth,
                                 std::size_t limit, const std::stop_token &stop);

} // namespace hearth
