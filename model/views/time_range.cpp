#include "model/views/time_range.h"

#include "model/views/timeline_records.h"

#include <algorithm>
#include <ctime>

namespace hearth {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kDay = std::int64_t(24) * 3600 * kSecond;

std::int64_t localMidnightBefore(std::int64_t time)
{
    const std::time_t seconds = time / kSecond;
    std::tm day{};
    ::localtime_r(&seconds, &day);
    day.tm_hour = day.tm_min = day.tm_sec = 0;
    day.tm_isdst = -1;
    return static_cast<std::int64_t>(std::mktime(&day)) * kSecond;
}

std::int64_t saturatedSum(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        return b > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
    return sum;
}

std::int64_t resolvePoint(const TimePoint &point, const TimeRange &span)
{
    switch (point.base) {
    case TimeBase::Epoch:
        return point.ns;
    case TimeBase::Clock:
        return saturatedSum(localMidnightBefore(span.begin), point.ns);
    case TimeBase::End:
        return saturatedSum(saturatedSum(span.end, 1), -point.ns);
    case TimeBase::Start:
        break;
    }
    return saturatedSum(span.begin, point.ns);
}

} // namespace

std::optional<TimeRange> timeSpanOf(const Snapshot &snapshot)
{
    std::optional<TimeRange> span;
    for (const SampleTable &table : snapshot.tables) {
        if (!table.hasTimes)
            continue;
        for (const auto &chunk : table.chunks) {
            if (!span)
                span = TimeRange{chunk->earliest(), chunk->latest()};
            span->begin = std::min(span->begin, chunk->earliest());
            span->end = std::max(span->end, chunk->latest());
        }
    }
    if (!span && snapshot.sampleCount() == 0)
        span = recordSpanOf(snapshot);
    return span;
}

TimeRange resolve(const TimeTerm &term, const Snapshot &snapshot)
{
    const TimeRange span = timeSpanOf(snapshot).value_or(TimeRange{0, 0});
    TimeRange range;
    if (term.from)
        range.begin = resolvePoint(*term.from, span);
    if (term.to) {
        std::int64_t end = resolvePoint(*term.to, span);
        if (term.to->base == TimeBase::Clock && end <= range.begin && term.from)
            end = saturatedSum(end, kDay); // the range runs over midnight
        range.end = saturatedSum(end, -1);
    }
    return range;
}

TimeTerm timeTermOf(const TimeRange &range, const TimeRange &dataSet, double resolution)
{
    std::int64_t unit = 1;
    while (static_cast<double>(unit) < std::min(resolution / 10, 1e17))
        unit *= 10;
    const auto sinceStart = [&](std::int64_t time) {
        return std::max<std::int64_t>(0, time - dataSet.begin) / unit;
    };
    return {TimePoint{TimeBase::Start, sinceStart(range.begin) * unit},
            TimePoint{TimeBase::Start, (sinceStart(range.end) + 1) * unit}};
}

} // namespace hearth
