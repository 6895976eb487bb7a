#include "model/views/timeline_records.h"

#include "model/views/timeline.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <utility>

namespace hearth {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

std::int64_t timeOf(std::uint64_t ns)
{
    return static_cast<std::int64_t>(std::min<std::uint64_t>(ns, std::numeric_limits<std::int64_t>::max()));
}

/// What is collected of a metric: in each bin a sum, and what it is divided by.
struct Collected {
    std::vector<double> sums;
    std::vector<double> counts;
};

/// What a sum, or a histogram, stood at when it was last reported.
struct Standing {
    std::uint64_t timeNs = 0;
    std::uint64_t startNs = 0;
    double value = 0;
    double count = 0;
};

class Collector {
public:
    Collector(const Snapshot &snapshot, TimeRange range, std::size_t bins)
        : m_snapshot(snapshot), m_range(range), m_bins(bins), m_points(snapshot.metrics.size()),
          m_collected(snapshot.metrics.size())
    {}

    void add(const MetricChunk &chunk, const MetricPoint &point)
    {
        constexpr std::uint32_t kNothingRecorded = 1;
        if ((point.flags & kNothingRecorded) != 0 || point.timeNs == 0)
            return;
        ++m_points[point.metric.value];
        const Metric &metric = m_snapshot.metrics[point.metric.value];
        if (point.distribution != MetricPoint::kNone)
            addDistribution(metric, point, chunk.distributions[point.distribution]);
        else if (point.value.type != NumberType::None)
            addNumber(metric, point);
    }

    const std::vector<std::uint64_t> &points() const { return m_points; }

    MetricTrack track(MetricId id) const
    {
        const Metric &metric = m_snapshot.metrics[id.value];
        const Collected &collected = m_collected[id.value];
        MetricTrack track;
        track.name = m_snapshot.text(metric.name);
        track.unit = m_snapshot.text(metric.unit);
        if (isRate(metric))
            track.unit += "/s";
        track.values.resize(m_bins, kNothing);
        const double seconds = (static_cast<double>(m_range.end) - static_cast<double>(m_range.begin) + 1) /
                               1e9 / static_cast<double>(m_bins);
        bool isFirst = true;
        for (std::size_t bin = 0; bin < collected.sums.size(); ++bin) {
            if (collected.counts[bin] == 0)
                continue;
            const double value = collected.sums[bin] / (isRate(metric) ? seconds : collected.counts[bin]);
            if (!std::isfinite(value))
                continue;
            track.values[bin] = value;
            track.low = isFirst ? value : std::min(track.low, value);
            track.high = isFirst ? value : std::max(track.high, value);
            isFirst = false;
        }
        return track;
    }

private:
    /// Sums that may fall are levels, like gauges.
    static bool isRate(const Metric &metric)
    {
        return metric.kind == MetricKind::Sum &&
               (metric.isMonotonic != 0 || metric.temporality == Temporality::Delta);
    }

    void addNumber(const Metric &metric, const MetricPoint &point)
    {
        const double value = point.value.real();
        if (!isRate(metric))
            return put(point, value, 1);
        if (metric.temporality == Temporality::Delta)
            return put(point, value, 1);
        if (const auto grown = growth(point, value, 0))
            put(point, grown->value, 1);
    }

    void addDistribution(const Metric &metric, const MetricPoint &point, const Distribution &distribution)
    {
        const auto count = static_cast<double>(distribution.count);
        if (metric.temporality == Temporality::Delta || metric.kind == MetricKind::Summary)
            return put(point, distribution.sum, count);
        if (const auto grown = growth(point, distribution.sum, count))
            put(point, grown->value, grown->count);
    }

    /// Since the point before; nothing if there is none, or if it is not before this one.
    std::optional<Standing> growth(const MetricPoint &point, double value, double count)
    {
        const Standing now{point.timeNs, point.startNs, value, count};
        const auto [known, isNew] = m_standings.try_emplace({point.metric, point.context}, now);
        if (isNew)
            return std::nullopt;
        const Standing before = known->second;
        if (point.timeNs <= before.timeNs)
            return std::nullopt;
        known->second = now;
        const bool isRestarted = value < before.value || count < before.count ||
                                 (before.startNs != 0 && point.startNs > before.startNs);
        return isRestarted ? now : Standing{0, 0, value - before.value, count - before.count};
    }

    void put(const MetricPoint &point, double sum, double count)
    {
        const std::int64_t time = timeOf(point.timeNs);
        if (!m_range.contains(time) || !(count > 0))
            return;
        Collected &collected = m_collected[point.metric.value];
        collected.sums.resize(m_bins);
        collected.counts.resize(m_bins);
        const std::size_t bin = binOf(m_range, m_bins, time);
        collected.sums[bin] += sum;
        collected.counts[bin] += count;
    }

    const Snapshot &m_snapshot;
    TimeRange m_range;
    std::size_t m_bins;
    std::vector<std::uint64_t> m_points; ///< by metric
    std::vector<Collected> m_collected;  ///< by metric
    std::map<std::pair<MetricId, ContextId>, Standing> m_standings;
};

bool addTracks(const Snapshot &snapshot, TimeRange range, std::size_t bins, std::size_t mostTracks,
               TimelineRecords &records, const std::stop_token &stop)
{
    Collector collector(snapshot, range, bins);
    for (const auto &chunk : snapshot.points.chunks) {
        if (stop.stop_requested())
            return false;
        for (const MetricPoint &point : chunk->rows)
            collector.add(*chunk, point);
    }
    std::vector<std::uint32_t> metrics(snapshot.metrics.size());
    std::iota(metrics.begin(), metrics.end(), 0U);
    std::erase_if(metrics, [&](std::uint32_t metric) { return collector.points()[metric] < 2; });
    std::ranges::stable_sort(metrics, std::ranges::greater(),
                             [&](std::uint32_t metric) { return collector.points()[metric]; });
    records.hiddenTracks = metrics.size() - std::min(metrics.size(), mostTracks);
    for (const std::uint32_t metric : std::span(metrics).first(std::min(metrics.size(), mostTracks)))
        records.tracks.push_back(collector.track(MetricId(metric)));
    return true;
}

} // namespace

bool TimelineRecords::hasLogs() const
{
    return std::ranges::any_of(logs, [](std::uint32_t count) { return count > 0; });
}

std::optional<TimelineRecords> timelineRecords(const Snapshot &snapshot, TimeRange range, std::size_t bins,
                                               std::size_t mostTracks, const std::stop_token &stop)
{
    TimelineRecords records;
    if (bins == 0)
        return records;
    if (!addTracks(snapshot, range, bins, mostTracks, records, stop))
        return std::nullopt;
    records.logs.resize(bins);
    records.logSeverity.resize(bins);
    for (const auto &chunk : snapshot.logs.chunks) {
        if (stop.stop_requested())
            return std::nullopt;
        for (const LogRecord &record : chunk->rows) {
            const std::int64_t time = timeOf(record.effectiveTimeNs());
            if (!range.contains(time))
                continue;
            const std::size_t bin = binOf(range, bins, time);
            ++records.logs[bin];
            records.logSeverity[bin] = std::max(records.logSeverity[bin], record.severity);
        }
    }
    return records;
}

std::optional<TimeRange> recordSpanOf(const Snapshot &snapshot)
{
    TimeRange range{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    const auto take = [&range](std::uint64_t ns) {
        if (ns == 0)
            return;
        range.begin = std::min(range.begin, timeOf(ns));
        range.end = std::max(range.end, timeOf(ns));
    };
    snapshot.points.forEach([&](const MetricChunk &, const MetricPoint &point) { take(point.timeNs); });
    snapshot.logs.forEach([&](const LogChunk &, const LogRecord &record) { take(record.effectiveTimeNs()); });
    return range.begin <= range.end ? std::optional(range) : std::nullopt;
}

} // namespace hearth
