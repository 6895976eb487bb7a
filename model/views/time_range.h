#pragma once

#include "model/lens/lens.h"
#include "model/store/snapshot.h"
#include "model/views/selected_samples.h"

#include <optional>

namespace hearth {

/// From the earliest sample to the latest; nothing if no sample has a time.
std::optional<TimeRange> timeSpanOf(const Snapshot &snapshot);

/// What a lens's time means in this data set.
TimeRange resolve(const TimeTerm &term, const Snapshot &snapshot);

} // namespace hearth
