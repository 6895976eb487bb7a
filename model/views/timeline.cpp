#include "model/views/timeline.h"

#include "model/views/stack_weights.h"

namespace hearth {

std::size_t binOf(const TimeRange &range, std::size_t bins, std::int64_t time)
{
    const double span = static_cast<double>(range.end) - static_cast<double>(range.begin) + 1;
    const auto place =
        static_cast<double>(static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(range.begin));
    return std::min(bins - 1, static_cast<std::size_t>(place / span * static_cast<double>(bins)));
}

std::int64_t Timeline::beginOf(std::size_t bin) const
{
    const double span = static_cast<double>(range.end) - static_cast<double>(range.begin) + 1;
    return range.begin +
           static_cast<std::int64_t>(span * static_cast<double>(bin) / static_cast<double>(bins));
}

std::optional<Timeline> timelineOf(const Snapshot &snapshot, const SampleSelection &selection,
                                   TimeRange range, std::size_t bins,
                                   std::span<const std::uint32_t> laneOfContext, std::size_t lanes,
                                   const std::stop_token &stop)
{
    Timeline timeline{range, bins, std::vector(lanes, std::vector<std::int64_t>(bins)), 0};
    SampleReader reader(selection);
    for (const SampleTable &table : snapshot.tables)
        for (const SeriesChunk &chunk : chunksOf(table, selection.series)) {
            if (stop.stop_requested())
                return std::nullopt;
            reader.forEachRun(chunk, [&](SampleReader &run) {
                if (!chunk.hasTimes) {
                    timeline.untimed += static_cast<std::uint64_t>(
                        std::ranges::count_if(run.values(), [](std::int64_t value) { return value != 0; }));
                    return;
                }
                const auto contexts = run.contexts();
                const auto times = run.times();
                for (std::size_t i = 0; i < times.size(); ++i) {
                    const std::uint32_t lane = laneOfContext[contexts[i]];
                    if (run.values()[i] == 0 || lane >= lanes || !range.contains(times[i]))
                        continue;
                    Sum sum{timeline.lanes[lane][binOf(range, bins, times[i])]};
                    sum.add(run.values()[i]);
                    timeline.lanes[lane][binOf(range, bins, times[i])] = sum.value;
                }
            });
        }
    return timeline;
}

} // namespace hearth
