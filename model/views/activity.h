#pragma once

#include "model/lens/lens.h"
#include "model/store/snapshot.h"
#include "model/views/series_choice.h"
#include "model/views/timeline.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

/// How busy the whole and its parts were over all of the data set's time.
struct Activity {
    Timeline timeline;
    std::vector<std::string> names;  ///< of the lanes; the first is all of it
    std::vector<std::int64_t> peaks; ///< the largest sum of each lane
};

/// Lanes for the heaviest processes (or services, or threads, whatever tells the samples apart), each over
/// all of the time, whatever range the lens has: that range is chosen on it.
/// @return nothing if no sample has a time, or if stopped
std::optional<Activity> activityOf(const Snapshot &snapshot, const Lens &lens, const SeriesChoice &series,
                                   std::size_t bins, std::size_t mostLanes, const std::stop_token &stop);

} // namespace hearth
