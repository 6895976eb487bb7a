#pragma once

#include "model/views/span_groups.h"

#include <QFont>
#include <QRectF>
#include <QSize>

#include <algorithm>
#include <cstdint>
#include <optional>

class QPainter;

namespace hearth {

/// Durations from one on, and shorter than another.
struct LatencyBand {
    std::int64_t fromNs = 0;
    std::int64_t toNs = 0;

    bool operator==(const LatencyBand &) const = default;
};

/// What the picture of a latency histogram is made of, and where in it everything is.
struct LatencyScene {
    LatencyHistogram histogram;
    std::optional<LatencyBand> band;
    QSize size;

    static constexpr int kAxisHeight = 18;
    static constexpr int kMargin = 10;

    bool isEmpty() const { return histogram.range == 0; }
    int width() const { return std::max(1, size.width() - 2 * kMargin); }
    int axis() const { return std::max(1, size.height() - kAxisHeight); } ///< its top
    double placeOf(std::int64_t ns) const;
    std::int64_t durationAt(int x) const;
    QRectF barOf(std::size_t bin) const;
    /// Whether a bin is in the band, all of it or in part.
    bool isInBand(std::size_t bin) const;
};

void paintLatencies(QPainter &painter, const LatencyScene &scene, const QFont &font);

} // namespace hearth
