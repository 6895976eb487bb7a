#pragma once

#include "ui/flame/flame_painter.h"

#include <QRect>

namespace hearth {

inline constexpr int kMinimapWidth = 160;

/// Where the whole graph is drawn small while a part of it fills the view; empty if there is no need.
QRect minimapRect(const FlameLayout *overview, const QRect &view);

/// The whole graph with what fills the view outlined.
void paintMinimap(QPainter &painter, const QRect &rect, const FlameScene &scene, const FlameLayout &overview);

/// The node at a place of the small graph; the root where there is none.
NodeId minimapNodeAt(const QRect &rect, const FlameScene &scene, const FlameLayout &overview,
                     const QPoint &place);

} // namespace hearth
