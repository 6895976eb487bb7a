#pragma once

#include "model/views/call_tree.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace hearth {

/// What each entry weighs itself and with what it calls. A stack counts once for an entry, however often the
/// entry recurs in it.
struct EntryWeights {
    std::vector<std::int64_t> self; ///< by entry
    std::vector<std::int64_t> total;
};

/// @return nothing if stopped
std::optional<EntryWeights> entryWeights(const CallTree &tree, const std::stop_token &stop);

} // namespace hearth
