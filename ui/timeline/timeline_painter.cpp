#include "ui/timeline/timeline_painter.h"

#include "model/lens/units.h"
#include "model/views/log_list.h"
#include "ui/theme/figures.h"
#include "ui/theme/marks.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace hearth {

namespace {

constexpr int kIndent = 12;
constexpr int kMarkWidth = 12;
constexpr std::int64_t kSecond = 1'000'000'000;

double lengthOf(const TimeRange &range)
{
    return static_cast<double>(range.end) - static_cast<double>(range.begin) + 1;
}

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
    return static_cast<std::int64_t>(std::ceil(wanted / 86400e9)) * 86400 * kSecond;
}

/// Times of day where the data has any, else seconds from the start.
QString timeText(std::int64_t time, std::int64_t step)
{
    constexpr std::int64_t kYear1980 = 315'532'800 * kSecond;
    if (time < kYear1980)
        return QString::number(static_cast<double>(time) / 1e9, 'g', 6) + QStringLiteral(" s");
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(time / 1'000'000);
    return moment.toString(step >= kSecond ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm:ss.zzz"));
}

QString nameOf(const ActivityLane &lane)
{
    return lane.name.empty() ? QCoreApplication::translate("Timeline", "(others)") : qString(lane.name);
}

void paintName(QPainter &painter, const TimelineScene &scene, std::size_t index)
{
    const ActivityLane &lane = scene.activity->lanes[index];
    const QRect row = scene.row(index);
    if (scene.current == index)
        painter.fillRect(QRect(0, row.top(), scene.left() - 4, row.height()), theme().accentFill);
    if (lane.hasParts)
        paintOpener(painter, scene.mark(index), lane.isOpen);
    const int left = scene.mark(index).right() + 3;
    const QRect room(left, row.top(), scene.left() - 8 - left, row.height());
    painter.setPen(lane.depth == 0 ? theme().text : theme().muted);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(nameOf(lane), Qt::ElideMiddle, room.width()));
}

/// Neighbours differ, and a lane keeps its colour wherever it stands.
QColor colorOf(const ActivityLane &lane)
{
    if (lane.depth == 0)
        return mixed(theme().panel, theme().accent, 0.55);
    constexpr std::size_t kClasses = 6;
    return frameColor(FrameClass(qHash(qString(lane.name)) % kClasses), lane.name);
}

void paintBars(QPainter &painter, const TimelineScene &scene, std::size_t index)
{
    const std::vector<std::int64_t> &sums = scene.activity->timeline.lanes[index];
    const ActivityLane &lane = scene.activity->lanes[index];
    const QRect row = scene.row(index);
    const QColor color = lane.isLeftOut ? dimmed(colorOf(lane)) : colorOf(lane);
    const double barWidth = static_cast<double>(scene.width()) / static_cast<double>(sums.size());
    for (std::size_t bin = 0; bin < sums.size(); ++bin) {
        if (sums[bin] <= 0)
            continue;
        const double share = static_cast<double>(sums[bin]) / static_cast<double>(lane.peak);
        const double height = std::max(1.0, share * (TimelineScene::kLaneHeight - 3));
        const double left = scene.left() + barWidth * static_cast<double>(bin);
        painter.fillRect(QRectF(left, row.bottom() + 1 - height, std::max(1.0, barWidth - 1), height), color);
    }
}

void paintAxis(QPainter &painter, const TimelineScene &scene)
{
    const TimeRange &range = scene.activity->timeline.range;
    const std::int64_t step = stepFor(lengthOf(range), scene.width());
    const QFontMetrics metrics = painter.fontMetrics();
    const bool hasTicks = scene.records && scene.records->hasLogs();
    painter.setPen(theme().muted);
    for (std::int64_t time = (range.begin / step + 1) * step; time <= range.end; time += step) {
        const QString text = timeText(time, step);
        const int x = static_cast<int>(scene.placeOf(time));
        if (x + metrics.horizontalAdvance(text) <= scene.left() + scene.width())
            painter.drawText(x, scene.axis() + metrics.ascent() + (hasTicks ? 3 : 1), text);
        if (time > range.end - step)
            break; // before the sum overflows
    }
}

/// A line through the values, with gaps where nothing was measured, and the range they are in.
void paintTrack(QPainter &painter, const TimelineScene &scene, std::size_t index)
{
    const MetricTrack &track = scene.records->tracks[index];
    const QRect row = scene.row(scene.firstTrack() + index);
    const int left = TimelineScene::kMargin / 2 + kMarkWidth + 3;
    const QRect room(left, row.top(), scene.left() - 8 - left, row.height());
    painter.setPen(theme().muted);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(qString(track.name), Qt::ElideMiddle, room.width()));
    const double step = static_cast<double>(scene.width()) / static_cast<double>(track.values.size());
    const double height = row.height() - 6;
    const double range = track.high - track.low;
    const auto placeOf = [&](std::size_t bin) {
        const double share = range > 0 ? (track.values[bin] - track.low) / range : 0.5;
        return QPointF(scene.left() + step * (static_cast<double>(bin) + 0.5),
                       row.bottom() - 2 - share * height);
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().accent, 1.2));
    std::optional<QPointF> before;
    for (std::size_t bin = 0; bin < track.values.size(); ++bin) {
        if (std::isnan(track.values[bin]))
            continue; // points are rarer than pixels: the line goes on to the next
        const QPointF here = placeOf(bin);
        before ? painter.drawLine(*before, here) : painter.drawPoint(here);
        before = here;
    }
    painter.restore();
}

/// A tick for each bin with log records, in the colour of the gravest.
void paintLogs(QPainter &painter, const TimelineScene &scene)
{
    constexpr int kTick = 3;
    const TimelineRecords &records = *scene.records;
    const double step = static_cast<double>(scene.width()) / static_cast<double>(records.logs.size());
    for (std::size_t bin = 0; bin < records.logs.size(); ++bin) {
        if (records.logs[bin] == 0)
            continue;
        const std::uint32_t severity = records.logSeverity[bin];
        const QColor color = severity >= kSeverityError  ? theme().bad
                             : severity >= kSeverityWarn ? theme().warn
                                                         : theme().faint;
        painter.fillRect(QRectF(scene.left() + step * static_cast<double>(bin), scene.axis(),
                                std::max(1.0, step - 1), kTick),
                         color);
    }
}

void paintBrush(QPainter &painter, const TimelineScene &scene)
{
    const double end = scene.left() + scene.width();
    const double left = std::clamp<double>(scene.placeOf(scene.brushed->begin), scene.left(), end);
    const double right = std::clamp<double>(scene.placeOf(scene.brushed->end), scene.left(), end);
    QColor fill = theme().accent;
    fill.setAlphaF(0.14F);
    const QRectF box(left, 2, std::max(2.0, right - left), scene.axis() - 2);
    painter.fillRect(box, fill);
    painter.setPen(theme().accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
}

} // namespace

QRect TimelineScene::row(std::size_t index) const
{
    return {0, kMargin / 2 + static_cast<int>(index) * kLaneHeight - scrolled, size.width(), kLaneHeight};
}

std::optional<std::size_t> TimelineScene::rowAt(int y) const
{
    const int top = y - kMargin / 2 + scrolled;
    const auto index = static_cast<std::size_t>(std::max(0, top) / kLaneHeight);
    return top < 0 || y >= axis() || index >= rows() ? std::nullopt : std::optional(index);
}

QRect TimelineScene::mark(std::size_t lane) const
{
    const int depth = lane < activity->lanes.size() ? activity->lanes[lane].depth : 1;
    const int left = kMargin / 2 + std::max(0, depth - 1) * kIndent;
    return {left, row(lane).top(), kMarkWidth, kLaneHeight};
}

double TimelineScene::placeOf(std::int64_t time) const
{
    const TimeRange &range = activity->timeline.range;
    return left() +
           (static_cast<double>(time) - static_cast<double>(range.begin)) / lengthOf(range) * width();
}

std::int64_t TimelineScene::timeAt(int x) const
{
    const TimeRange &range = activity->timeline.range;
    const double share = std::clamp(static_cast<double>(x - left()) / width(), 0.0, 1.0);
    return range.begin + static_cast<std::int64_t>(std::min(lengthOf(range) - 1, share * lengthOf(range)));
}

void paintTimeline(QPainter &painter, const TimelineScene &scene, const QFont &font)
{
    const Activity &activity = *scene.activity;
    painter.setFont(font);
    painter.save();
    painter.setClipRect(0, 0, scene.size.width(), scene.axis());
    const auto first = static_cast<std::size_t>(scene.scrolled / TimelineScene::kLaneHeight);
    for (std::size_t lane = first; lane < activity.lanes.size() && scene.row(lane).top() < scene.axis();
         ++lane) {
        paintName(painter, scene, lane);
        paintBars(painter, scene, lane);
    }
    if (activity.hidden > 0) {
        painter.setPen(theme().accent);
        const QRect row =
            scene.row(activity.lanes.size()).adjusted(scene.mark(activity.lanes.size()).right() + 3, 0, 0, 0);
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                         QCoreApplication::translate("Timeline", "%1 more").arg(activity.hidden));
    }
    for (std::size_t track = 0; scene.records && track < scene.records->tracks.size(); ++track)
        paintTrack(painter, scene, track);
    painter.restore();
    paintAxis(painter, scene);
    if (scene.records)
        paintLogs(painter, scene);
    if (scene.brushed)
        paintBrush(painter, scene);
}

QString spanText(const TimeRange &range)
{
    return valueText(static_cast<std::int64_t>(lengthOf(range)), "nanoseconds");
}

} // namespace hearth
