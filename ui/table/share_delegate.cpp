#include "ui/table/share_delegate.h"

#include "ui/table/top_model.h"
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
        painter->fillRect(bar, mixed(theme().panel, theme().accent, 0.22));
        painter->setPen(theme().text);
        painter->drawText(option.rect.adjusted(8, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(Qt::DisplayRole).toString());
        return;
    }
    QStyledItemDelegate::paint(painter, option, index);
}

} // namespace hearth
