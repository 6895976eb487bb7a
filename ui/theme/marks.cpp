#include "ui/theme/marks.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace hearth {

void paintOpener(QPainter &painter, const QRect &room, bool isOpen)
{
    const QPointF centre = QRectF(room).center();
    QPainterPath triangle;
    if (isOpen) {
        triangle.moveTo(centre + QPointF(-4, -2));
        triangle.lineTo(centre + QPointF(4, -2));
        triangle.lineTo(centre + QPointF(0, 3));
    } else {
        triangle.moveTo(centre + QPointF(-2, -4));
        triangle.lineTo(centre + QPointF(3, 0));
        triangle.lineTo(centre + QPointF(-2, 4));
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(triangle, theme().muted);
    painter.restore();
}

QString swatch(const QColor &color, const QString &meaning)
{
    return QStringLiteral("<span style='color:%1'>■</span>&nbsp;%2&nbsp;&nbsp;&nbsp;")
        .arg(color.name(), meaning.toHtmlEscaped());
}

} // namespace hearth
