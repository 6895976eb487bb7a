#pragma once

#include "model/views/activity.h"
#include "model/views/timeline_records.h"

#include <QFont>
#include <QRect>

#include <cstddef>
#include <memory>
#include <optional>

class QPainter;

namespace hearth {

/// What the timeline's picture is made of, and where in it everything is.
struct TimelineScene {
    std::shared_ptr<const Activity> activity;
    std::shared_ptr<const TimelineRecords> records; ///< of the same range and bins; null if there are none
    std::optional<TimeRange> brushed;               ///< of the lens
    std::optional<std::size_t> current;             ///< lane that the keyboard is on
    QSize size;
    int scrolled = 0; ///< by so many pixels the lanes are moved up

    static constexpr int kLaneHeight = 22;
    static constexpr int kAxisHeight = 18;
    static constexpr int kMargin = 10;
    static constexpr int kNameWidth = 140;

    int left() const { return kNameWidth + kMargin; } ///< where names end and time begins
    int width() const { return std::max(1, size.width() - left() - kMargin); }
    int axis() const { return size.height() - kAxisHeight; } ///< its top
    /// Lanes, the row that says how many more there are, and tracks of metrics.
    std::size_t rows() const { return activity ? firstTrack() + (records ? records->tracks.size() : 0) : 0; }
    std::size_t firstTrack() const { return activity->lanes.size() + (activity->hidden > 0 ? 1 : 0); }
    int heightOfRows() const { return static_cast<int>(rows()) * kLaneHeight; }
    /// Of all rows and the axis.
    int wholeHeight() const { return kMargin / 2 + heightOfRows() + kAxisHeight; }
    QRect row(std::size_t index) const;
    /// The row at a height; it is the one behind all lanes for the row of those that are not shown.
    std::optional<std::size_t> rowAt(int y) const;
    /// The mark that opens a lane.
    QRect mark(std::size_t lane) const;

    double placeOf(std::int64_t time) const;
    std::int64_t timeAt(int x) const;
};

void paintTimeline(QPainter &painter, const TimelineScene &scene, const QFont &font);

/// "1.27 s", "3 min": how long a range is.
QString spanText(const TimeRange &range);

} // namespace hearth
