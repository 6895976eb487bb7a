#pragma once

#include "model/views/log_list.h"
#include "model/views/trace_evaluator.h"
#include "model/views/trace_samples.h"
#include "model/views/waterfall.h"

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QSize>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace hearth {

/// What the picture of a trace is made of, and where in it everything is. Only rows that can be seen are
/// painted.
struct WaterfallScene {
    std::shared_ptr<const SpanStudy> study;
    std::shared_ptr<const Waterfall> waterfall;
    std::shared_ptr<const std::vector<LogMark>> logs; ///< of its spans
    std::shared_ptr<const TraceSamples> samples;      ///< when they were taken
    std::optional<std::size_t> current;               ///< row that is selected
    QSize size;
    int scrolled = 0; ///< by so many pixels the rows are moved up
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0; ///< what of the trace's time is shown

    static constexpr int kRowHeight = 24;
    static constexpr int kHeadHeight = 28; ///< says which trace it is, and what the fillings mean
    static constexpr int kMargin = 10;
    static constexpr int kNameWidth = 230;
    static constexpr int kServiceWidth = 96;
    static constexpr int kFigureWidth = 76; ///< behind the bars, for how long they are

    std::size_t rows() const { return waterfall ? waterfall->rows.size() : 0; }
    int wholeHeight() const { return kHeadHeight + static_cast<int>(rows()) * kRowHeight + kMargin; }
    int left() const { return kMargin + kNameWidth + kServiceWidth; } ///< where time begins
    int width() const { return std::max(1, size.width() - left() - kFigureWidth); }
    QRect row(std::size_t index) const;
    std::optional<std::size_t> rowAt(int y) const;
    QRectF bar(const WaterfallRow &row) const;
    double placeOf(double ns) const;
    double placeOf(std::int64_t ns) const { return placeOf(static_cast<double>(ns)); }
    std::int64_t timeAt(int x) const;

    QString nameOf(const WaterfallRow &row) const;
    QString serviceOf(const WaterfallRow &row) const;
    /// "missing parent", "outside its parent" …: what is odd about a span; empty if nothing is.
    QString oddityOf(const WaterfallRow &row) const;
    /// "4bf92f3577b34da6a3ce929d0e0e4736"
    QString traceId() const;
};

/// A service has the same colour everywhere and always.
QColor serviceColor(std::string_view service);

void paintWaterfall(QPainter &painter, const WaterfallScene &scene, const QFont &font);

} // namespace hearth
