#pragma once

#include "model/store/snapshot.h"
#include "model/views/series_choice.h"
#include "model/views/stack_weights.h"

namespace hearth {

/// The sum of the absolute values of what is left when samples of the same stack and attributes are
/// subtracted from each other: the whole that pprof's `-base` takes shares of.
/// @param factor of the current side
Sum netTotal(const Snapshot &base, const SeriesChoice &baseSeries, const Snapshot &current,
             const SeriesChoice &currentSeries, double factor);

} // namespace hearth
