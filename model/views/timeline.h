#pragma once

#include "model/store/snapshot.h"
#include "model/views/selected_samples.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace hearth {

/// Which of the equal parts of a range a moment in it is in.
std::size_t binOf(const TimeRange &range, std::size_t bins, std::int64_t time);

/// How much of a series was measured when: sums over equal parts of a time range, one row of them per lane.
struct Timeline {
    TimeRange range;
    std::size_t bins = 0;
    std::vector<std::vector<std::int64_t>> lanes; ///< by lane, `bins` sums each
    std::uint64_t untimed = 0;                    ///< selected samples that have no time, hence no place here

    /// The moment at which a bin begins.
    std::int64_t beginOf(std::size_t bin) const;
};

/// @param laneOfContext by context: its lane; beyond the last lane: not shown
/// @return nothing if stopped
std::optional<Timeline> timelineOf(const Snapshot &snapshot, const SampleSelection &selection,
                                   TimeRange range, std::size_t bins,
                                   std::span<const std::uint32_t> laneOfContext, std::size_t lanes,
                                   const std::stop_token &stop);

} // namespace hearth
