#pragma once

#include <QTreeView>

namespace hearth {

/// A tree whose marks and selected row look as everything else here does, whatever the desktop's style.
class QuietTree : public QTreeView {
    Q_OBJECT

public:
    using QTreeView::QTreeView;

protected:
    void drawRow(QPainter *painter, const QStyleOptionViewItem &option,
                 const QModelIndex &index) const override;
    void drawBranches(QPainter *painter, const QRect &room, const QModelIndex &index) const override;
};

} // namespace hearth
