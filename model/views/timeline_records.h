#pragma once

#include "model/store/snapshot.h"
#include "model/views/selected_samples.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

/// A metric over time.
struct MetricTrack {
    std::string name;
    std::string unit;           ///< as sent, "/s" behind it if this is how fast a sum grows
    std::vector<double> values; ///< by bin; not a number where nothing was measured
    double low = 0;             ///< of the values
    double high = 0;
};

/// What stands on a timeline beside the activity: metrics as tracks, and where log records are.
struct TimelineRecords {
    std::vector<MetricTrack> tracks;        ///< those with the most points first
    std::vector<std::uint32_t> logs;        ///< by bin: how many records
    std::vector<std::uint32_t> logSeverity; ///< by bin: of the gravest
    std::size_t hiddenTracks = 0;           ///< that there are beyond the limit

    bool hasLogs() const;
};

/// A gauge is shown as its mean in each bin. Of a sum it is how fast it grows, over all that report it: from
/// one point to the next where it is cumulative, a restart counting from 0. A histogram is shown as the mean
/// of what was measured.
/// @return nothing if stopped
std::optional<TimelineRecords> timelineRecords(const Snapshot &snapshot, TimeRange range, std::size_t bins,
                                               std::size_t mostTracks, const std::stop_token &stop);

/// From the first log record or metric point with a time to the last; nothing if there are none.
std::optional<TimeRange> recordSpanOf(const Snapshot &snapshot);

} // namespace hearth
