#pragma once

#include <QStyledItemDelegate>

class QAction;

namespace hearth {

/// Draws a row of the palette: the name, what it is, and its keys or weight.
class PaletteDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int kRowHeight = 28;

    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

/// The name of an action without the mark of its access key.
QString plainText(const QAction &action);

} // namespace hearth
