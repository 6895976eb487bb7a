#include "ui/sources/sources_delegate.h"

#include "ui/sources/sources_model.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace hearth {

namespace {

constexpr int kRowHeight = 26;
constexpr int kHeadHeight = 34;
constexpr int kPadding = 12;
constexpr int kHeadPixels = 11;
constexpr int kBarHeight = 2;
constexpr int kMark = 18; ///< room for what stands before a source's name

using Row = SourcesModel::Row;
using RowKind = SourcesModel::RowKind;

void paintHead(QPainter &painter, const QRect &room, QFont font, const Row &row)
{
    font.setPixelSize(kHeadPixels);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(theme().muted);
    painter.drawText(room.adjusted(0, 0, 0, -6), Qt::AlignBottom | Qt::AlignLeft,
                     QFontMetrics(font).elidedText(row.text, Qt::ElideRight, room.width()));
}

/// A dot for what is live, a sheet of paper for a file.
void paintMark(QPainter &painter, const QRect &room, const Row &row)
{
    const QPointF centre(room.left() + 5, room.center().y() + 1);
    if (row.isLive) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().good);
        painter.drawEllipse(centre, 4, 4);
        return;
    }
    painter.setPen(QPen(theme().muted, 1));
    painter.setBrush(Qt::NoBrush);
    const QRectF sheet(centre.x() - 4, centre.y() - 5, 9, 10);
    painter.drawRect(sheet);
    for (int line = 1; line < 4; ++line)
        painter.drawLine(QPointF(sheet.left() + 2, sheet.top() + line * 2.5),
                         QPointF(sheet.right() - 2, sheet.top() + line * 2.5));
}

void paintBar(QPainter &painter, const QRect &room, const Row &row)
{
    const double width = std::max(row.share > 0 ? 1.0 : 0.0, room.width() * row.share);
    painter.fillRect(QRectF(room.left(), room.bottom() - kBarHeight, width, kBarHeight),
                     row.isLeftOut ? theme().line : mixed(theme().accent, theme().panel, 0.35));
}

} // namespace

void SourcesDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    const auto row = index.data(SourcesModel::kRowRole).value<Row>();
    QRect room = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (row.kind == RowKind::Head) {
        paintHead(*painter, room, option.font, row);
        painter->restore();
        return;
    }
    const bool hasFocus = (option.state & QStyle::State_HasFocus) != 0;
    if (row.isChosen)
        painter->fillRect(option.rect, theme().accentFill);
    else if ((option.state & QStyle::State_MouseOver) != 0)
        painter->fillRect(option.rect, theme().soft);
    if (hasFocus) {
        painter->setPen(QPen(theme().accent, 2));
        painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
    }
    if (row.kind == RowKind::Value)
        paintBar(*painter, room, row);
    if (row.kind == RowKind::Source) {
        paintMark(*painter, room, row);
        room.setLeft(room.left() + kMark);
    }
    const QFontMetrics metrics(option.font);
    painter->setPen(theme().muted);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, row.figure);
    room.setRight(room.right() - metrics.horizontalAdvance(row.figure) - 8);
    QFont font = option.font;
    font.setStrikeOut(row.isLeftOut);
    painter->setFont(font);
    painter->setPen(row.kind == RowKind::More || row.isLeftOut ? theme().muted : theme().text);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                      metrics.elidedText(row.text, Qt::ElideMiddle, room.width()));
    painter->restore();
}

QSize SourcesDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto row = index.data(SourcesModel::kRowRole).value<Row>();
    return {option.rect.width(), row.kind == RowKind::Head ? kHeadHeight : kRowHeight};
}

} // namespace hearth
