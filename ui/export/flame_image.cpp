#include "ui/export/flame_image.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QGuiApplication>
#include <QPainter>

#include <cmath>
#include <ranges>

namespace hearth {

namespace {

constexpr int kMostPixels = 32'000; // QPainter's coordinates end at 2^15

void paintWords(QPainter &painter, const FlameSheet &sheet)
{
    const int room = sheet.width - 2 * kSheetMargin;
    const QFont plain = painter.font();
    QFont bold = plain;
    bold.setWeight(QFont::DemiBold);
    const auto line = [&](const QFont &font, const QColor &color, int top, const QString &text) {
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(QRect(kSheetMargin, top, room, 18), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(font).elidedText(text, Qt::ElideRight, room));
    };
    line(bold, theme().text, 6, sheet.title);
    line(plain, theme().muted, 24, sheet.subtitle);
    int top = kSheetHead + sheet.scene.rowCount() * kFlameRowHeight + kSheetMargin / 2;
    for (const QString &note : notesOf(sheet)) {
        line(plain, theme().muted, top, note);
        top += kSheetFoot;
    }
}

void paintLegend(QPainter &painter, const FlameSheet &sheet, int bottom)
{
    int right = sheet.width - kSheetMargin;
    const std::vector<FrameClass> kinds = kindsIn(sheet.scene);
    for (const FrameClass kind : std::views::reverse(kinds)) {
        constexpr int kMark = 9;
        const QString name = qString(nameOf(kind));
        right -= painter.fontMetrics().horizontalAdvance(name);
        painter.setPen(theme().muted);
        painter.drawText(QPoint(right, bottom), name);
        right -= kMark + 5;
        painter.fillRect(right, bottom - kMark, kMark, kMark, frameColor(kind, {}));
        right -= 14;
    }
}

} // namespace

Result<QImage> flameImage(const FlameSheet &sheet, double scale)
{
    const QSize size(static_cast<int>(std::ceil(sheet.width * scale)),
                     static_cast<int>(std::ceil(heightOf(sheet) * scale)));
    if (size.width() > kMostPixels || size.height() > kMostPixels)
        return failure("a picture of " + std::to_string(size.width()) + " by " +
                       std::to_string(size.height()) + " pixels cannot be painted, only up to " +
                       std::to_string(kMostPixels) + " of each");
    QImage image(size, QImage::Format_RGB32);
    if (image.isNull())
        return failure("there is no memory for a picture of " + std::to_string(size.width()) + " by " +
                       std::to_string(size.height()) + " pixels");
    image.setDevicePixelRatio(scale);
    image.fill(theme().panel);
    QPainter painter(&image);
    painter.setFont(QGuiApplication::font());
    paintWords(painter, sheet);
    paintLegend(painter, sheet, heightOf(sheet) - kSheetMargin);
    painter.setFont(QGuiApplication::font());
    painter.translate(kSheetMargin, 0);
    FrameLabels labels(sheet.detail);
    paintFlames(painter, sheet.scene, topOfRows(sheet),
                QRect(0, 0, sheet.width - 2 * kSheetMargin, heightOf(sheet)), labels);
    return image;
}

} // namespace hearth
