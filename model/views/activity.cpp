#include "model/views/activity.h"

#include "model/lens/attribute_keys.h"
#include "model/lens/compiled_lens.h"
#include "model/views/stack_weights.h"
#include "model/views/time_range.h"

#include <algorithm>
#include <array>
#include <map>

namespace hearth {

namespace {

/// The lane of each context: 0 is the sum of all, so lanes of contexts begin at 1.
struct Lanes {
    std::vector<std::uint32_t> ofContext;
    std::vector<std::string> names{"all"};
};

/// By the first attribute that tells samples apart.
Lanes lanesOf(const Snapshot &snapshot)
{
    constexpr std::array<std::string_view, 4> kKeys{"service.name", "process.executable.name", "process",
                                                    "thread"};
    for (const std::string_view word : kKeys) {
        const ResolvedKey key = resolveKey(snapshot, word);
        if (key.isUnknown())
            continue;
        Lanes lanes;
        std::map<std::string, std::uint32_t> laneOfName;
        for (std::size_t context = 0; context < snapshot.contexts.size(); ++context) {
            const std::string name = attributeText(snapshot, ContextId(context), key);
            const auto [lane, isNew] =
                laneOfName.try_emplace(name, static_cast<std::uint32_t>(lanes.names.size()));
            if (isNew)
                lanes.names.push_back(name.empty() ? "(others)" : name);
            lanes.ofContext.push_back(lane->second);
        }
        if (lanes.names.size() > 3) // all, and more than one that has data
            return lanes;
    }
    return {std::vector<std::uint32_t>(snapshot.contexts.size(), 0), {"all"}};
}

std::int64_t sumOf(const std::vector<std::int64_t> &lane)
{
    Sum sum;
    for (const std::int64_t value : lane)
        sum.add(value);
    return sum.value;
}

} // namespace

std::optional<Activity> activityOf(const Snapshot &snapshot, const Lens &lens, const SeriesChoice &series,
                                   std::size_t bins, std::size_t mostLanes, const std::stop_token &stop)
{
    const auto span = timeSpanOf(snapshot);
    const auto compiled = compile(lens);
    if (!span || !compiled || bins == 0)
        return std::nullopt;
    const Lanes lanes = lanesOf(snapshot);
    SampleSelection selection;
    selection.series = series;
    if (compiled->restrictsContexts())
        selection.contexts = matchContexts(*compiled, snapshot);
    auto timeline = timelineOf(snapshot, selection, *span, bins, lanes.ofContext, lanes.names.size(), stop);
    if (!timeline)
        return std::nullopt;

    // Lane 0 has what is in no other one, until all are added to it.
    std::vector<std::int64_t> &all = timeline->lanes[0];
    for (std::size_t lane = 1; lane < timeline->lanes.size(); ++lane)
        for (std::size_t bin = 0; bin < bins; ++bin) {
            Sum sum{all[bin]};
            sum.add(timeline->lanes[lane][bin]);
            all[bin] = sum.value;
        }
    std::vector<std::pair<std::int64_t, std::size_t>> heaviest;
    for (std::size_t lane = 1; lane < timeline->lanes.size(); ++lane)
        if (const std::int64_t sum = sumOf(timeline->lanes[lane]); sum != 0)
            heaviest.emplace_back(-sum, lane);
    std::ranges::sort(heaviest);
    heaviest.resize(std::min(heaviest.size(), mostLanes));

    Activity activity{{*span, bins, {}, timeline->untimed}, {}, {}};
    const auto add = [&](std::size_t lane) {
        activity.names.push_back(lanes.names[lane]);
        activity.peaks.push_back(std::max<std::int64_t>(1, std::ranges::max(timeline->lanes[lane])));
        activity.timeline.lanes.push_back(std::move(timeline->lanes[lane]));
    };
    add(0);
    for (const auto &[weight, lane] : heaviest)
        add(lane);
    return activity;
}

} // namespace hearth
