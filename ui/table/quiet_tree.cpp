#include "ui/table/quiet_tree.h"

#include "ui/theme/marks.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace hearth {

void QuietTree::drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (selectionModel()->isRowSelected(index.row(), index.parent()))
        painter->fillRect(option.rect, theme().accentFill);
    QTreeView::drawRow(painter, option, index);
}

void QuietTree::drawBranches(QPainter *painter, const QRect &room, const QModelIndex &index) const
{
    if (!model()->hasChildren(index))
        return;
    paintOpener(*painter, QRect(room.right() - indentation() + 1, room.top(), indentation(), room.height()),
                isExpanded(index));
}

} // namespace hearth
