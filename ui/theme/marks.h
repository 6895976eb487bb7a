#pragma once

#include <QRect>
#include <QString>

class QColor;
class QPainter;

namespace hearth {

/// The triangle in front of what can be opened.
void paintOpener(QPainter &painter, const QRect &room, bool isOpen);

/// Rich text: a colour, and what it stands for. Entries of a legend stand apart from each other.
QString swatch(const QColor &color, const QString &meaning);

} // namespace hearth
