#pragma once

#include "model/views/call_tree.h"

#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace hearth {

/// An entry next to another one on stacks, with the weight of the stacks on which it is.
struct Neighbour {
    EntryId entry;
    std::int64_t total = 0;
};

/// Who calls an entry, and what it calls. A stack counts once for each of them, however often the call recurs
/// in it.
struct Neighbours {
    std::int64_t self = 0;
    std::int64_t total = 0;
    std::vector<Neighbour> callers; ///< the heaviest first; none is where stacks begin
    std::vector<Neighbour> callees;
};

/// @return nothing if stopped
std::optional<Neighbours> neighboursOf(const CallTree &tree, EntryId entry, const std::stop_token &stop);

/// The entry of this name; nothing if there is none.
std::optional<EntryId> entryNamed(const CallTree &tree, std::string_view name);

} // namespace hearth
