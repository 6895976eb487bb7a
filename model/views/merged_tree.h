#pragma once

#include "model/views/call_tree.h"
#include "model/views/merged_entries.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace hearth {

/// Two call trees as one: nodes with the same names on their way from the root are the same.
struct MergedTree {
    std::vector<ShapeNode> nodes; ///< those of `current` with their ids, then what only `base` has
    std::vector<bool> isInlined;
    std::vector<NodeId> ofBase; ///< by node of `base`
    EntriesView entries;
};

/// @return nothing if stopped
std::optional<MergedTree> mergeTrees(const CallTree &base, const CallTree &current, Granularity granularity,
                                     const std::stop_token &stop);

} // namespace hearth
