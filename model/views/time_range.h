#pragma once

#include "model/lens/lens.h"
#include "model/store/snapshot.h"
#include "model/views/selected_samples.h"

#include <optional>

namespace hearth {

/// From the earliest sample to the latest; of data without samples, from the first log record or metric point
/// to the last. Nothing if none has a time.
std::optional<TimeRange> timeSpanOf(const Snapshot &snapshot);

/// What a lens's time means in this data set.
TimeRange resolve(const TimeTerm &term, const Snapshot &snapshot);

/// A range as seconds since the start of the data set, which stays readable in the lens's text.
/// @param resolution so many nanoseconds may be rounded away: what a pixel is worth
TimeTerm timeTermOf(const TimeRange &range, const TimeRange &dataSet, double resolution);

} // namespace hearth
