#pragma once

#include "model/store/snapshot.h"
#include "model/views/series_choice.h"

#include <string>

namespace hearth {

/// From which series one knows how often a program was observed for what another series weighs.
struct EventSeries {
    std::string name;  ///< for chooseSeries()
    double weight = 1; ///< of one observation in that series

    bool operator==(const EventSeries &) const = default;
};

/// What was sampled by time or by size is its weight over the period, 10 ms of CPU time for example; counts
/// are counts. Other series look to one beside them that says so (allocated objects, which are an estimate,
/// to their bytes; delays to their number), and if there is none, each sample is one observation.
EventSeries eventSeriesOf(const Snapshot &snapshot, const SeriesChoice &series);

} // namespace hearth
