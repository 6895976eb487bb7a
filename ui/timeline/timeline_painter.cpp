#include "ui/timeline/timeline_painter.h"

#include "model/lens/units.h"
#include "model/views/log_list.h"
#include "ui/theme/figures.h"
#include "ui/theme/marks.h"
#include "ui/theme/theme.h"
#include "ui/timeline/time_axis.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hearth {

namespace {

constexpr int kIndent = 12;
constexpr int kMarkWidth = 12;

double lengthOf(const TimeRange &range)
{
    return static_cast<double>(range.end) - static_cast<double>(range.begin) + 1;
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
    const bool hasTicks = scene.records && scene.records->hasLogs();
    painter.setPen(theme().muted);
    for (const TimeMark &mark : timeMarks(scene.activity->timeline.range, scene.width())) {
        const int x = static_cast<int>(scene.placeOf(mark.time));
        if (x + painter.fontMetrics().horizontalAdvance(mark.text) <= scene.left() + scene.width())
            painter.drawText(x, scene.axis() + painter.fontMetrics().ascent() + (hasTicks ? 3 : 1),
                             mark.text);
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
