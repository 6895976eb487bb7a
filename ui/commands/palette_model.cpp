#include "ui/commands/palette_model.h"

#include <utility>

namespace hearth {

void PaletteModel::setItems(QList<PaletteItem> items)
{
    beginResetModel();
    m_items = std::move(items);
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_items.size());
}

QVariant PaletteModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const PaletteItem &item = m_items[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return item.text;
    case Qt::ToolTipRole:
        return item.text;
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3").arg(item.text, item.kind, item.detail);
    case Detail:
        return item.detail;
    case Kind:
        return item.kind;
    default:
        return {};
    }
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex &index) const
{
    if (!index.isValid() || !m_items[index.row()].isEnabled)
        return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

} // namespace hearth
