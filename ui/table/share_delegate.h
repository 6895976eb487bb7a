#pragma once

#include <QStyledItemDelegate>

namespace hearth {

/// Shortens names of functions to the room that they have, draws a share as a bar behind its text, in the
/// colour that decorates the cell if there is one, and sums over time as a strip of bars.
class ShareDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    static void paintStrip(QPainter &painter, const QRect &room, const QList<qint64> &sums);
};

} // namespace hearth
