#pragma once

#include "model/views/flame_scope.h"

#include <QFont>
#include <QRectF>
#include <QSize>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>

class QPainter;

namespace hearth {

/// What the picture of a FlameScope is made of, and where in it everything is.
struct ScopeScene {
    std::shared_ptr<const FlameScope> scope;
    std::optional<TimeRange> brushed; ///< of the lens
    std::optional<std::size_t>
        first; ///< cell that a range begins or ends at, while the other end is being chosen
    std::optional<std::size_t> current; ///< cell under the mouse, or that the keyboard is on
    QSize size;

    static constexpr int kAxisHeight = 20;
    static constexpr int kScaleWidth = 64; ///< left of it the parts of a column stand
    static constexpr int kMargin = 12;

    bool isEmpty() const { return !scope || scope->isEmpty(); }
    QRectF area() const; ///< of the cells
    double columnWidth() const;
    double rowHeight() const;
    QRectF rectOf(std::size_t cell) const;
    std::optional<std::size_t> cellAt(const QPointF &position) const;
};

void paintScope(QPainter &painter, const ScopeScene &scene, const QFont &font);

} // namespace hearth
