#pragma once

#include "model/lens/lens.h"
#include "model/store/snapshot.h"
#include "model/views/series_choice.h"
#include "model/views/timeline.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// One row of a timeline.
struct ActivityLane {
    std::string key; ///< with the name the attribute that lenses choose these samples by; empty: all of them
    std::string name;
    std::uint8_t depth = 0; ///< 0: all; 1: a process, say; 2: one of its threads
    bool hasParts = false;
    bool isOpen = false;
    bool isLeftOut = false; ///< the lens's attributes select nothing of it
    std::int64_t total = 0; ///< over all time
    std::int64_t peak = 1;  ///< the largest of its sums
};

/// How busy the whole and its parts were over time.
struct Activity {
    std::vector<ActivityLane> lanes;
    Timeline timeline;      ///< a row of sums for each lane
    TimeRange all;          ///< from the first sample to the last
    std::size_t hidden = 0; ///< lanes of depth 1 that there are beyond the limit
};

struct ActivityRequest {
    SeriesChoice series;
    std::optional<TimeRange> range; ///< all of the time if there is none
    std::size_t bins = 1;
    std::size_t mostLanes = 1;     ///< of depth 1, and of each that is open
    std::vector<std::string> open; ///< names of lanes that show their parts

    bool operator==(const ActivityRequest &) const = default;
};

/// Lanes for the heaviest processes (or services, or threads, whatever tells the samples apart), whatever
/// range and attributes the lens has: these are chosen on them.
/// @return nothing if no sample has a time, or if stopped
std::optional<Activity> activityOf(const Snapshot &snapshot, const Lens &lens, const ActivityRequest &request,
                                   const std::stop_token &stop);

} // namespace hearth
