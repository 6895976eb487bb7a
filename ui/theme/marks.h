#pragma once

#include <QRect>

class QPainter;

namespace hearth {

/// The triangle in front of what can be opened.
void paintOpener(QPainter &painter, const QRect &room, bool isOpen);

} // namespace hearth
