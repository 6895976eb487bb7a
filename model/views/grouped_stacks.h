#pragma once

#include "model/lens/lens.h"
#include "model/store/row_index.h"
#include "model/store/snapshot.h"
#include "model/views/frame_filter.h"
#include "model/views/selected_samples.h"
#include "model/views/tree_shape.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace hearth {

/// The call tree of samples that are split by attributes: groups above everything, pprof's tagroot and
/// tagleaf frames around the stacks.
struct GroupedTree {
    TreeShape shape;
    std::vector<std::int64_t> self; ///< by node
    std::int64_t selected = 0;      ///< sum of the absolute values of all samples that are looked at
    std::int64_t matched = 0;       ///< sum of the absolute values of the samples that are kept
    bool overflowed = false;
};

/// @return nothing if stopped
std::optional<GroupedTree> groupStacks(const Snapshot &snapshot, const Lens &lens,
                                       const SampleSelection &selection, FrameFilter &filter,
                                       const std::stop_token &stop);

} // namespace hearth
