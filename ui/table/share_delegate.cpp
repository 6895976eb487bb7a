#include "ui/table/share_delegate.h"

#include "ui/table/top_model.h"
#include "ui/theme/function_names.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace hearth {

QSize ShareDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    constexpr int kRowHeight = 22;
    return {QStyledItemDelegate::sizeHint(option, index).width(), kRowHeight};
}

void ShareDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const
{
    const QVariant share = index.data(kShareRole);
    if (share.isValid()) {
        if ((option.state & QStyle::State_Selected) != 0)
            painter->fillRect(option.rect, theme().accentFill);
        QRectF bar = option.rect.adjusted(4, 4, -4, -4);
        bar.setLeft(bar.right() - bar.width() * std::clamp(share.toDouble(), 0.0, 1.0));
        const QVariant color = index.data(Qt::DecorationRole);
        painter->fillRect(bar, color.isValid() ? color.value<QColor>()
                                               : mixed(theme().panel, theme().accent, 0.22));
        painter->setPen(theme().text);
        painter->drawText(option.rect.adjusted(8, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(Qt::DisplayRole).toString());
        return;
    }
    QStyledItemDelegate::paint(painter, option, index);
    if (const QVariant strip = index.data(kStripRole); strip.isValid())
        paintStrip(*painter, option.rect.adjusted(4, 3, -4, -3), strip.value<QList<qint64>>());
}

void ShareDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    constexpr int kPadding = 18; // both sides of a cell, and what the style wants
    QStyledItemDelegate::initStyleOption(option, index);
    if (const int room = option->rect.width() - kPadding; room > 0 && index.data(kFunctionRole).toBool())
        option->text = functionText(option->text.toStdString(), option->fontMetrics, room);
}

void ShareDelegate::paintStrip(QPainter &painter, const QRect &room, const QList<qint64> &sums)
{
    const auto highest = std::max<qint64>(1, std::ranges::max(sums));
    const double step = static_cast<double>(room.width()) / static_cast<double>(sums.size());
    const QColor color = mixed(theme().accent, theme().panel, 0.4);
    for (qsizetype i = 0; i < sums.size(); ++i) {
        if (sums[i] <= 0)
            continue;
        const double size =
            std::max(1.0, static_cast<double>(sums[i]) / static_cast<double>(highest) * room.height());
        painter.fillRect(QRectF(room.left() + static_cast<double>(i) * step, room.bottom() + 1 - size,
                                std::max(1.0, step - 0.5), size),
                         color);
    }
}

} // namespace hearth
