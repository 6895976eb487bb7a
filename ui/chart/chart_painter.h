#pragma once

#include "model/views/chart_layout.h"
#include "ui/flame/frame_labels.h"
#include "ui/theme/theme.h"

#include <QFont>
#include <QRect>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace hearth {

/// A lane as it is shown: all its levels if it is open, else what was innermost.
struct ChartRow {
    std::size_t lane = 0; ///< of the chart
    int top = 0;          ///< below the axis, before anything is scrolled
    int height = 0;
    bool isOpen = false;
    bool isPinned = false;
    std::vector<ChartBox> boxes; ///< of the range that is shown; only rows that can be seen have any
};

/// A box of a row.
struct ChartPlace {
    std::size_t row = 0;
    std::size_t box = 0;

    bool operator==(const ChartPlace &) const = default;
};

/// A sample of a lane of the chart.
struct ChartSample {
    std::size_t lane = 0;
    std::size_t stretch = 0;

    bool operator==(const ChartSample &) const = default;
};

/// What the picture of a time chart is made of, and where in it everything is.
struct ChartScene {
    std::shared_ptr<const TimeChart> chart;
    std::shared_ptr<const std::vector<FrameClass>> classes; ///< by entry of the chart
    std::vector<ChartRow> rows;
    TimeRange shown;
    std::optional<TimeRange> brushed; ///< of the lens
    std::optional<ChartSample> current;
    std::optional<ChartPlace> hovered;
    std::optional<EntryId> selected; ///< function
    std::vector<std::uint8_t>
        matches; ///< by node of the chart: bit 0: it is found, bit 1: it or one that called it
    QSize size;
    int scrolled = 0; ///< by so many pixels the rows are moved up

    static constexpr int kAxisHeight = 22;
    static constexpr int kBoxHeight = 18; ///< and the gap below it
    static constexpr int kClosedHeight = 20;
    static constexpr int kRowGap = 5;
    static constexpr int kNameWidth = 190;
    static constexpr int kMargin = 10;

    int left() const { return kNameWidth; } ///< where names end and time begins
    int width() const { return std::max(1, size.width() - left() - kMargin); }
    double pixelNs() const;
    double placeOf(std::int64_t time) const;
    std::int64_t timeAt(int x) const;

    int heightOfRow(const ChartLane &lane, bool isOpen) const;
    int wholeHeight() const;
    int topOf(const ChartRow &row) const { return kAxisHeight + row.top - scrolled; }
    std::optional<std::size_t> rowAt(int y) const;
    std::optional<ChartPlace> placeAt(const QPoint &position) const;
    QRectF rectOf(const ChartRow &row, const ChartBox &box) const;
    const ChartLane &laneOf(const ChartRow &row) const { return chart->lanes[row.lane]; }

    enum Match : std::uint8_t { kIsMatch = 1, kIsBelowMatch = 2 };
};

/// The kind of each entry, which decides about its colour.
std::shared_ptr<const std::vector<FrameClass>> classesOf(const TimeChart &chart);

void paintChart(QPainter &painter, const ChartScene &scene, const QFont &font, FrameLabels &labels);

} // namespace hearth
