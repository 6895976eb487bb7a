#pragma once

#include <QStyledItemDelegate>

namespace hearth {

/// Draws data sets and attribute values: name, figure, and a thin bar below for the share.
class SourcesDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace hearth
