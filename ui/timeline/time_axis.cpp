#include "ui/timeline/time_axis.h"

#include <QDateTime>

#include <algorithm>
#include <array>
#include <cmath>

namespace hearth {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kDay = 86'400 * kSecond;

/// The step between marks: 1, 2 or 5 of a power of ten, or what clocks are divided into.
std::int64_t stepFor(double span, int width)
{
    constexpr int kNarrowest = 110;
    constexpr std::array<std::int64_t, 13> kClock{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 21600};
    const double wanted = span * kNarrowest / std::max(1, width);
    for (std::int64_t decade = 1; decade < kSecond; decade *= 10)
        for (const std::int64_t factor : {1, 2, 5})
            if (static_cast<double>(decade * factor) >= wanted)
                return decade * factor;
    for (const std::int64_t seconds : kClock)
        if (static_cast<double>(seconds * kSecond) >= wanted)
            return seconds * kSecond;
    return static_cast<std::int64_t>(std::ceil(wanted / static_cast<double>(kDay))) * kDay;
}

/// How many digits tell two marks apart.
int decimalsFor(std::int64_t step)
{
    int decimals = 0;
    for (std::int64_t unit = kSecond; unit > step; unit /= 10)
        ++decimals;
    return decimals;
}

QString secondsText(std::int64_t time, std::int64_t step)
{
    return QString::number(static_cast<double>(time) / 1e9, 'f', decimalsFor(step)) + QStringLiteral(" s");
}

/// As much of a moment as tells it from the others: the date where they are days apart, the digits behind the
/// second where these are all that differs.
QString momentText(std::int64_t time, std::int64_t step, bool isOfSeveralDays)
{
    constexpr std::int64_t kMillisecond = 1'000'000, kMinute = 60 * kSecond;
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(time / kMillisecond);
    if (step >= kDay)
        return moment.toString(QStringLiteral("yyyy-MM-dd"));
    if (isOfSeveralDays)
        return moment.toString(QStringLiteral("MM-dd HH:mm"));
    if (step < kMillisecond)
        return secondsText(time % kMinute, step);
    return moment.toString(step >= kSecond ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm:ss.zzz"));
}

} // namespace

std::vector<TimeMark> timeMarks(const TimeRange &range, int width)
{
    const double length = static_cast<double>(range.end) - static_cast<double>(range.begin) + 1;
    const std::int64_t step = stepFor(length, width);
    constexpr std::int64_t kYear1980 = 315'532'800 * kSecond; // what ends before is no time of day
    const bool hasTimesOfDay = range.end >= kYear1980;
    const bool isOfSeveralDays = length > static_cast<double>(kDay);
    std::vector<TimeMark> marks;
    for (std::int64_t time = (range.begin / step + 1) * step; time <= range.end; time += step) {
        marks.push_back(
            {time, hasTimesOfDay ? momentText(time, step, isOfSeveralDays) : secondsText(time, step)});
        if (time > range.end - step)
            break; // before the sum overflows
    }
    return marks;
}

} // namespace hearth
