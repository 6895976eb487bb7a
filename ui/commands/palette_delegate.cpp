#include "ui/commands/palette_delegate.h"

#include "ui/commands/palette_model.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QPainter>

#include <algorithm>

namespace hearth {

namespace {

constexpr int kPadding = 8;

} // namespace

void PaletteDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    const bool isSelected = (option.state & QStyle::State_Selected) != 0;
    const bool isEnabled = (index.flags() & Qt::ItemIsEnabled) != 0;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (isSelected) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme().accentFill);
        painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 0, -1, 0), 5, 5);
    }
    const QFontMetrics metrics(option.font);
    QRect room = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const QString detail = index.data(PaletteModel::Detail).toString();
    const QString kind = index.data(PaletteModel::Kind).toString();
    painter->setPen(theme().muted);
    const int detailWidth = std::max(metrics.horizontalAdvance(detail), 56);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, detail);
    room.setRight(room.right() - detailWidth - kPadding);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, kind);
    room.setRight(room.right() - metrics.horizontalAdvance(kind) - kPadding);
    painter->setPen(isEnabled ? theme().text : theme().faint);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                      metrics.elidedText(index.data().toString(), Qt::ElideMiddle, room.width()));
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {option.rect.width(), kRowHeight};
}

QString plainText(const QAction &action)
{
    return action.text().remove(QLatin1Char('&'));
}

} // namespace hearth
