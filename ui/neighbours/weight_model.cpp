#include "ui/neighbours/weight_model.h"

#include "ui/table/top_model.h"
#include "ui/theme/figures.h"
#include "ui/theme/function_names.h"

#include <cmath>
#include <utility>

namespace hearth {

int WeightModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int WeightModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

void WeightModel::set(std::vector<WeightRow> rows, std::int64_t whole, std::string unit)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_whole = whole;
    m_unit = std::move(unit);
    endResetModel();
}

QVariant WeightModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const WeightRow &row = rowAt(index.row());
    const std::int64_t value = index.column() == Self ? row.self : row.total;
    const auto whole = static_cast<double>(m_whole);
    switch (role) {
    case Qt::TextAlignmentRole:
        return int((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return index.column() == Name
                   ? row.name.toHtmlEscaped()
                   : QString::number(value) + QLatin1Char(' ') + QString::fromStdString(m_unit);
    case kFunctionRole:
        return index.column() == Name && !row.entry.isNone();
    case kNumberRole:
        if (index.column() == Name)
            return {};
        return index.column() == Share ? QVariant(percentOf(value, m_whole)) : QVariant(qlonglong(value));
    case kShareRole:
        if (index.column() == Share && m_whole != 0)
            return std::abs(static_cast<double>(value) / whole);
        return {};
    case Qt::DisplayRole:
        if (index.column() == Name)
            return row.entry.isNone() ? row.name : functionText(row.name.toStdString());
        return index.column() == Share ? shareText(static_cast<double>(value), whole)
                                       : valueText(value, m_unit);
    default:
        return {};
    }
}

QVariant WeightModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == kNumberRole && section != Name)
        return section == Share ? QString() : QString::fromStdString(m_unit);
    if (role != Qt::DisplayRole)
        return {};
    return QStringList{tr("Total"), tr("Total %"), tr("Self"), m_nameTitle}.value(section);
}

} // namespace hearth
