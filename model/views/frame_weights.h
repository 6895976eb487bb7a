#pragma once

#include "model/store/snapshot.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace hearth {

/// By frame: what samples weigh whose stacks it is in, of the series that the data set opens with. A frame
/// that recurs counts as often as it is there.
/// @return nothing if stopped
std::optional<std::vector<std::int64_t>> frameWeights(const Snapshot &snapshot, const std::stop_token &stop);

} // namespace hearth
