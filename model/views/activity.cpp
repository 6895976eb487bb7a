#include "model/views/activity.h"

#include "model/lens/attribute_keys.h"
#include "model/lens/compiled_lens.h"
#include "model/views/attribute_weights.h"
#include "model/views/stack_weights.h"
#include "model/views/time_range.h"

#include <algorithm>
#include <array>
#include <map>

namespace hearth {

namespace {

constexpr std::string_view kThread = "thread";

/// Contexts that have one value of an attribute.
struct Part {
    std::string name;
    std::int64_t total = 0;
    std::vector<std::uint32_t> contexts;
};

/// The parts that weigh anything, the heaviest first.
std::vector<Part> partsBy(const Snapshot &snapshot, std::string_view word,
                          std::span<const std::uint32_t> contexts, std::span<const std::int64_t> weights)
{
    const ResolvedKey key = resolveKey(snapshot, word);
    if (key.isUnknown())
        return {};
    std::map<std::string, Part> byName;
    for (const std::uint32_t context : contexts) {
        if (weights[context] == 0)
            continue;
        std::string name = attributeText(snapshot, ContextId(context), key);
        Part &part = byName[name];
        part.name = std::move(name);
        addTo(part.total, weights[context]);
        part.contexts.push_back(context);
    }
    std::vector<Part> parts;
    for (auto &[name, part] : byName)
        parts.push_back(std::move(part));
    std::ranges::stable_sort(parts, std::ranges::greater(), &Part::total);
    return parts;
}

/// Chooses lanes and which context is shown in which.
class LanePlan {
public:
    LanePlan(const Snapshot &snapshot, std::span<const std::int64_t> weights, const ActivityRequest &request)
        : m_snapshot(snapshot), m_weights(weights), m_request(request), m_laneOfContext(weights.size(), 0)
    {
        m_lanes.emplace_back().name = "all";
        for (const std::int64_t weight : weights)
            addTo(m_lanes[0].total, weight);
        choose();
    }

    std::vector<ActivityLane> &lanes() { return m_lanes; }
    const std::vector<std::uint32_t> &laneOfContext() const { return m_laneOfContext; }
    /// What a lane's sums are part of; 0 for the lane of all.
    const std::vector<std::uint32_t> &parents() const { return m_parents; }
    std::size_t hidden() const { return m_hidden; }

    void markLeftOut(std::span<const std::uint8_t> isSelected)
    {
        for (std::size_t lane = 1; lane < m_lanes.size(); ++lane)
            m_lanes[lane].isLeftOut = true;
        for (std::size_t context = 0; context < m_laneOfContext.size(); ++context)
            if (isSelected[context] != 0 && m_weights[context] != 0)
                for (std::uint32_t lane = m_laneOfContext[context]; lane != 0; lane = m_parents[lane])
                    m_lanes[lane].isLeftOut = false;
    }

private:
    /// By the first attribute that tells samples apart.
    void choose()
    {
        constexpr std::array<std::string_view, 4> kKeys{"service.name", "process.executable.name", "process",
                                                        kThread};
        std::vector<std::uint32_t> all(m_weights.size());
        for (std::uint32_t context = 0; context < all.size(); ++context)
            all[context] = context;
        for (const std::string_view key : kKeys) {
            const std::vector<Part> parts = partsBy(m_snapshot, key, all, m_weights);
            if (parts.size() < 2)
                continue;
            // A row that says "1 more" may as well be that lane.
            const bool showsAll = parts.size() <= m_request.mostLanes + 1;
            const std::size_t shown = showsAll ? parts.size() : m_request.mostLanes;
            m_hidden = parts.size() - shown;
            for (const Part &part : std::span(parts).first(shown))
                add(key, part, 1, 0);
            return;
        }
    }

    void add(std::string_view key, const Part &part, std::uint8_t depth, std::uint32_t parent)
    {
        const auto lane = static_cast<std::uint32_t>(m_lanes.size());
        std::vector<Part> inner;
        if (depth == 1 && key != kThread)
            inner = partsBy(m_snapshot, kThread, part.contexts, m_weights);
        const bool hasParts = inner.size() > 1;
        const bool isOpen = hasParts && std::ranges::find(m_request.open, part.name) != m_request.open.end();
        m_lanes.push_back({.key = std::string(key),
                           .name = part.name,
                           .depth = depth,
                           .hasParts = hasParts,
                           .isOpen = isOpen,
                           .total = part.total});
        m_parents.resize(m_lanes.size(), 0);
        m_parents[lane] = parent;
        for (const std::uint32_t context : part.contexts)
            m_laneOfContext[context] = lane;
        if (isOpen)
            for (const Part &thread : std::span(inner).first(std::min(inner.size(), m_request.mostLanes)))
                add(kThread, thread, 2, lane);
    }

    const Snapshot &m_snapshot;
    std::span<const std::int64_t> m_weights;
    const ActivityRequest &m_request;
    std::vector<ActivityLane> m_lanes;
    std::vector<std::uint32_t> m_parents{0};
    std::vector<std::uint32_t> m_laneOfContext;
    std::size_t m_hidden = 0;
};

} // namespace

std::optional<Activity> activityOf(const Snapshot &snapshot, const Lens &lens, const ActivityRequest &request,
                                   const std::stop_token &stop)
{
    const auto span = timeSpanOf(snapshot);
    const auto compiled = compile(lens);
    if (!span || !compiled || request.bins == 0)
        return std::nullopt;
    SampleSelection selection;
    selection.series = request.series;
    const auto weights = contextWeights(snapshot, selection, stop);
    if (!weights)
        return std::nullopt;
    LanePlan plan(snapshot, *weights, request);
    if (compiled->restrictsContexts())
        plan.markLeftOut(matchContexts(*compiled, snapshot));
    const TimeRange range = request.range.value_or(*span);
    if (request.range)
        selection.time = range;
    auto timeline =
        timelineOf(snapshot, selection, range, request.bins, plan.laneOfContext(), plan.lanes().size(), stop);
    if (!timeline)
        return std::nullopt;

    // Each sample was counted in one lane: the innermost that shows it. Parts come behind what they are part
    // of.
    Activity activity{std::move(plan.lanes()), std::move(*timeline), *span, plan.hidden()};
    std::vector<std::vector<std::int64_t>> &sums = activity.timeline.lanes;
    for (std::size_t lane = sums.size(); lane-- > 1;)
        for (std::size_t bin = 0; bin < request.bins; ++bin)
            addTo(sums[plan.parents()[lane]][bin], sums[lane][bin]);
    for (std::size_t lane = 0; lane < sums.size(); ++lane)
        activity.lanes[lane].peak = std::max<std::int64_t>(1, std::ranges::max(sums[lane]));
    return activity;
}

} // namespace hearth
