#include "model/views/time_chart.h"

#include "model/lens/attribute_keys.h"
#include "model/lens/compiled_lens.h"
#include "model/views/call_tree.h"
#include "model/views/frame_filter.h"
#include "model/views/link_weights.h"
#include "model/views/linked_spans.h"
#include "model/views/parallel.h"
#include "model/views/span_table.h"
#include "model/views/stack_weights.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace hearth {

namespace {

/// Moments beyond this are not: they are brought here, so that differences fit 64 bits.
constexpr std::int64_t kFarthest = std::int64_t(1) << 61U;

std::int64_t near(std::int64_t time)
{
    return std::clamp(time, -kFarthest, kFarthest);
}

std::int64_t product(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? kFarthest : result;
}

/// Which lane a sample is in, by its context or by its link.
class LaneNames {
public:
    LaneNames(const Snapshot &snapshot, std::string_view key)
    {
        m_laneOfContext.resize(key == TimeChartRequest::kByTrace ? 0 : snapshot.contexts.size());
        if (isByLink())
            nameTraces(snapshot);
        else if (key.empty())
            m_names.emplace_back();
        else
            nameContexts(snapshot, key);
    }

    bool isByLink() const { return m_laneOfContext.empty(); }
    /// By link or by context. kNone: in no lane.
    std::span<const std::uint32_t> lanes() const { return isByLink() ? m_laneOfLink : m_laneOfContext; }
    const std::vector<std::string> &names() const { return m_names; }
    std::string valueOf(std::uint32_t lane) const
    {
        return m_values.empty() ? m_names[lane] : m_values[lane];
    }

    static constexpr std::uint32_t kNone = 0xffffffffU;

private:
    void nameTraces(const Snapshot &snapshot)
    {
        SpanTable spans;
        spans.extend(snapshot);
        m_laneOfLink.resize(snapshot.links.size(), kNone);
        for (std::size_t link = 0; link < m_laneOfLink.size(); ++link)
            if (const TraceRow trace = spans.traceOf(LinkId(link)); !trace.isNone())
                m_laneOfLink[link] = trace.value;
        for (std::size_t trace = 0; trace < spans.traceCount(); ++trace)
            m_names.push_back(traceText(snapshot.links[spans.anyLink(TraceRow(trace)).value]));
    }

    /// Threads of one name in two processes, or with two numbers, are two.
    void nameContexts(const Snapshot &snapshot, std::string_view key)
    {
        const ResolvedKey resolved = resolveKey(snapshot, key);
        std::vector<ResolvedKey> more;
        if (key == "thread")
            more = {resolveKey(snapshot, "process"), resolveKey(snapshot, "service"),
                    resolveKey(snapshot, "thread.id")};
        std::unordered_map<std::string, std::uint32_t> known;
        for (std::size_t context = 0; context < m_laneOfContext.size(); ++context) {
            const ContextId at(context);
            const std::string value = attributeText(snapshot, at, resolved);
            std::string name = value;
            for (const ResolvedKey &other : more)
                if (const std::string text = attributeText(snapshot, at, other);
                    !text.empty() && text != value)
                    name += " · " + text;
            const auto [lane, isNew] = known.try_emplace(name, static_cast<std::uint32_t>(m_names.size()));
            if (isNew) {
                m_names.push_back(std::move(name));
                m_values.push_back(value);
            }
            m_laneOfContext[context] = lane->second;
        }
    }

    std::vector<std::uint32_t> m_laneOfContext;
    std::vector<std::uint32_t> m_laneOfLink;
    std::vector<std::string> m_names;
    std::vector<std::string> m_values;
};

/// Chunks of one table with how long their samples last.
struct TimedTable {
    const SampleTable *table = nullptr;
    SeriesChoice series;
    std::int64_t nsPerUnit = 0; ///< of a value; 0: values are no time
    bool isWaiting = false;
    bool isOfLens = true; ///< its values count for the weight of lanes
};

std::vector<TimedTable> tablesOf(const Snapshot &snapshot, const SeriesChoice &series)
{
    std::vector<TimedTable> tables;
    bool isOnCpu = false;
    for (const SampleTable &table : snapshot.tables) {
        if (std::ranges::find(table.series, series.stored) == table.series.end())
            continue;
        const std::optional<TimeColumn> time = timeColumnOf(snapshot, table);
        const bool isTime = time && time->series.stored == series.stored;
        // Counts may have been multiplied by their period already.
        const std::int64_t period =
            isTime && time->series.timesPeriod && !series.timesPeriod ? table.period : 1;
        tables.push_back(
            {&table, series, isTime ? product(time->nsPerUnit, period) : 0, isTime && time->isWaiting});
        isOnCpu = isOnCpu || (isTime && !time->isWaiting);
    }
    for (const SampleTable &table : snapshot.tables)
        if (const auto time = timeColumnOf(snapshot, table); isOnCpu && time && time->isWaiting)
            tables.push_back({&table, time->series, time->nsPerUnit, true, false});
    return tables;
}

class ChartMaker {
public:
    ChartMaker(TimeChart &chart, SampleSelection selection, const TreeShape &shape, LaneNames lanes)
        : m_chart(chart), m_selection(std::move(selection)), m_shape(shape), m_names(std::move(lanes)),
          m_stretches(m_names.names().size()), m_weights(m_names.names().size())
    {}

    bool run(std::size_t mostLanes, const std::stop_token &stop)
    {
        for (const TimedTable &table : tablesOf(*m_chart.snapshot, m_chart.series))
            if (!collect(table, stop))
                return false;
        return index(mostLanes, stop);
    }

private:
    bool collect(const TimedTable &table, const std::stop_token &stop)
    {
        SampleReader reader(m_selection);
        const std::span<const std::uint32_t> lanes = m_names.lanes();
        for (const SeriesChunk &chunk : chunksOf(*table.table, table.series)) {
            if (stop.stop_requested())
                return false;
            reader.forEachRun(chunk, [&](SampleReader &run) {
                const auto values = run.values();
                if (!chunk.hasTimes) {
                    m_chart.untimed +=
                        values.size() - static_cast<std::size_t>(std::ranges::count(values, 0));
                    return;
                }
                const auto times = run.times();
                const auto ids = m_names.isByLink() ? run.links() : run.contexts();
                for (std::size_t i = 0; i < values.size(); ++i)
                    if (values[i] != 0)
                        add(table, lanes[ids[i]], m_shape.nodeOf(StackId(run.stacks()[i])), times[i],
                            values[i]);
            });
        }
        return true;
    }

    void add(const TimedTable &table, std::uint32_t lane, NodeId node, std::int64_t time, std::int64_t value)
    {
        if (lane == LaneNames::kNone || node.isNone())
            return;
        const std::int64_t length = std::clamp<std::int64_t>(product(value, table.nsPerUnit), 0, kFarthest);
        const std::int64_t begin = near(time) - (table.isWaiting ? length : 0);
        m_stretches[lane].push_back({begin, near(begin + length), node, table.isWaiting});
        if (table.isOfLens)
            addTo(m_weights[lane], value);
    }

    /// Sorting and comparing stacks is what costs; lanes do not depend on each other.
    bool index(std::size_t mostLanes, const std::stop_token &stop)
    {
        std::vector<std::uint32_t> order;
        for (std::uint32_t lane = 0; lane < m_stretches.size(); ++lane)
            if (!m_stretches[lane].empty())
                order.push_back(lane);
        std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
            return isHeavier(m_weights[a], m_names.names()[a], m_weights[b], m_names.names()[b]);
        });
        m_chart.hidden = order.size() - std::min(order.size(), mostLanes);
        order.resize(order.size() - m_chart.hidden);
        std::vector<std::optional<StackLane>> made(order.size());
        forEachPart(order.size(), 1, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i) {
                giveUsualLength(m_stretches[order[i]]);
                made[i].emplace(std::move(m_stretches[order[i]]), m_chart.tree);
            }
        });
        if (stop.stop_requested())
            return false;
        for (std::size_t i = 0; i < order.size(); ++i)
            m_chart.lanes.push_back({m_names.names()[order[i]], m_names.valueOf(order[i]),
                                     m_weights[order[i]], std::move(*made[i])});
        findRange();
        return true;
    }

    /// Of what has no length: the median distance from one to the next.
    static void giveUsualLength(std::vector<Stretch> &stretches)
    {
        if (std::ranges::any_of(stretches, [](const Stretch &stretch) { return stretch.length() > 0; }))
            return;
        std::vector<std::int64_t> distances;
        std::ranges::stable_sort(stretches, {}, &Stretch::begin);
        for (std::size_t i = 1; i < stretches.size(); ++i)
            distances.push_back(stretches[i].begin - stretches[i - 1].begin);
        std::int64_t usual = 1;
        if (!distances.empty()) {
            const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
            std::ranges::nth_element(distances, middle);
            usual = std::max<std::int64_t>(1, *middle);
        }
        for (Stretch &stretch : stretches)
            stretch.end = near(stretch.begin + usual);
    }

    void findRange()
    {
        if (m_chart.lanes.empty())
            return;
        m_chart.all = {kFarthest, -kFarthest};
        for (const ChartLane &lane : m_chart.lanes) {
            m_chart.all.begin = std::min(m_chart.all.begin, lane.stacks[0].begin);
            m_chart.all.end = std::max(m_chart.all.end, lane.stacks[lane.stacks.size() - 1].end);
        }
    }

    TimeChart &m_chart;
    SampleSelection m_selection;
    const TreeShape &m_shape;
    LaneNames m_names;
    std::vector<std::vector<Stretch>> m_stretches; ///< by lane
    std::vector<std::int64_t> m_weights;
};

} // namespace

Result<std::shared_ptr<const TimeChart>> timeChartOf(const std::shared_ptr<const Snapshot> &snapshot,
                                                     Lens lens, const TimeChartRequest &request,
                                                     const std::stop_token &stop)
{
    lens.time = {};
    const auto compiled = compile(lens);
    if (!compiled)
        return tl::unexpected(compiled.error());
    auto selection = selectionOf(*snapshot, lens);
    if (!selection)
        return tl::unexpected(selection.error());
    auto filter = FrameFilter::create(*compiled, lens, *snapshot);
    if (!filter)
        return tl::unexpected(filter.error());
    filter->extend(snapshot);
    TreeShape shape;
    if (!shape.extend(snapshot->stacks.span(), *filter, stop))
        return nullptr;
    auto chart = std::make_shared<TimeChart>();
    chart->snapshot = snapshot;
    chart->series = selection->series;
    chart->key = request.key;
    chart->tree = ChartTree(shape.nodes());
    chart->entries = filter->entries();
    if (!ChartMaker(*chart, std::move(*selection), shape, LaneNames(*snapshot, request.key))
             .run(request.mostLanes, stop))
        return nullptr;
    return chart;
}

std::vector<std::string> laneKeysOf(const Snapshot &snapshot)
{
    constexpr std::array<std::string_view, 7> kKeys{"thread",    "process", "cpu", "service",
                                                    "container", "host",    "comm"};
    std::vector<std::string> keys;
    for (const std::string_view key : kKeys)
        if (!resolveKey(snapshot, key).isUnknown())
            keys.emplace_back(key);
    if (snapshot.links.size() > 1)
        keys.emplace_back(TimeChartRequest::kByTrace);
    return keys;
}

} // namespace hearth
