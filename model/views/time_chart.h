#pragma once

#include "model/lens/lens.h"
#include "model/result.h"
#include "model/store/snapshot.h"
#include "model/views/series_choice.h"
#include "model/views/stack_lane.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// The samples that have one value of what lanes are made by.
struct ChartLane {
    std::string name;        ///< empty: those that have no such value
    std::string value;       ///< of the attribute that lanes are made by
    std::int64_t weight = 0; ///< of the lens's series
    StackLane stacks;
};

/// The stacks that a lens shows, on an axis of time: a lane for each thread, say.
struct TimeChart {
    std::shared_ptr<const Snapshot> snapshot;
    SeriesChoice series;
    std::string key; ///< what lanes are made by
    ChartTree tree;
    std::optional<EntriesView> entries;
    std::vector<ChartLane> lanes; ///< the heaviest first
    TimeRange all;                ///< from the first sample that is shown to the end of the last
    std::uint64_t untimed = 0;    ///< samples that have no time, hence no place here
    std::uint64_t hidden = 0;     ///< lanes beyond the limit, the lightest

    const Entry &entry(NodeId node) const { return (*entries)[tree.nodes[node.value].entry]; }
};

struct TimeChartRequest {
    std::string key; ///< an attribute, kByTrace, or empty: one lane for all
    std::size_t mostLanes = 1000;

    /// A lane for each request, of the samples that are linked to one of its spans.
    static constexpr std::string_view kByTrace = "trace";
};

/// Shows everything that the lens does, but for its time: the chart is where that is chosen. With the time
/// that threads spent on a processor it also shows the time they spent waiting, where there is such a series.
///
/// A sample of time spent waiting was taken at its end. Others are drawn from when they were taken for as
/// long as they stand for; where the data does not say how long that is, for as long as is usual in their
/// lane.
/// @return nothing if stopped; an error if the lens does not fit the data set
Result<std::shared_ptr<const TimeChart>> timeChartOf(const std::shared_ptr<const Snapshot> &snapshot,
                                                     Lens lens, const TimeChartRequest &request,
                                                     const std::stop_token &stop);

/// What lanes can be made by, the most useful first: thread, process, processor and the like as far as there
/// are several of them.
std::vector<std::string> laneKeysOf(const Snapshot &snapshot);

} // namespace hearth
