#include "ui/table/top_model.h"

#include "ui/theme/figures.h"
#include "ui/theme/function_names.h"

#include <cmath>

namespace hearth {

namespace {

QString placeOf(const TopRow &row)
{
    if (row.file.empty())
        return {};
    return qString(baseName(row.file)) +
           (row.line > 0 ? QLatin1Char(':') + QString::number(row.line) : QString());
}

} // namespace

int TopModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TopModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(kColumns);
}

QVariant TopModel::data(const QModelIndex &index, int role) const
{
    const TopRow &row = rowAt(index.row());
    const auto column = static_cast<Column>(index.column());
    const bool isSelf = column == Self || column == SelfShare;
    const std::int64_t value = isSelf ? row.self : row.total;
    const auto whole = static_cast<double>(m_evaluation->total);
    if (role == Qt::TextAlignmentRole)
        return int(column < Strip ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == kStripRole && column == Strip) {
        const auto strip = m_strips.find(row.name);
        return strip == m_strips.end() ? QVariant() : QVariant::fromValue(strip->second);
    }
    if (role == kShareRole && (column == SelfShare || column == TotalShare))
        return whole == 0 ? 0.0 : std::abs(static_cast<double>(value)) / whole;
    if (role == kNumberRole && column < Strip)
        return column == Self || column == Total ? QVariant(qlonglong(value))
                                                 : QVariant(percentOf(value, m_evaluation->total));
    if (role == kFunctionRole)
        return column == Name;
    if (role == Qt::ToolTipRole) {
        if (column < Strip)
            return QString::number(value) + QLatin1Char(' ') +
                   QString::fromStdString(m_evaluation->series.unit);
        return column == Place    ? qString(row.file)
               : column == Binary ? qString(row.binary)
               : column == Name   ? qString(row.name)
                                  : QString();
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Self:
    case Total:
        return valueText(value, m_evaluation->series.unit);
    case SelfShare:
    case TotalShare:
        return shareText(static_cast<double>(value), whole);
    case Strip:
        return {};
    case Name:
        return functionText(row.name);
    case Place:
        return placeOf(row);
    case Binary:
        return qString(baseName(row.binary));
    case Kind:
        return qString(m_snapshot->text(row.kind));
    case kColumns:
        break;
    }
    return {};
}

QVariant TopModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(section < Strip ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == kStripRole)
        return section == Strip;
    if (role == kNumberRole && section < Strip && m_evaluation)
        return section == Self || section == Total ? QString::fromStdString(m_evaluation->series.unit)
                                                   : QString();
    if (role != Qt::DisplayRole)
        return {};
    const QStringList names{tr("Self"),     tr("Self %"), tr("Total"),  tr("Total %"), tr("Activity"),
                            tr("Function"), tr("Source"), tr("Binary"), tr("Kind")};
    return names.value(section);
}

RowKey rowKeyOf(TopModel::Column column)
{
    switch (column) {
    case TopModel::Total:
    case TopModel::TotalShare:
        return RowKey::Total;
    case TopModel::Name:
        return RowKey::Name;
    case TopModel::Place:
        return RowKey::Place;
    case TopModel::Binary:
        return RowKey::Binary;
    case TopModel::Kind:
        return RowKey::Kind;
    default:
        return RowKey::Self;
    }
}

void TopModel::set(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Evaluation> evaluation,
                   std::shared_ptr<const TopTable> table, std::vector<std::uint32_t> rows)
{
    beginResetModel();
    m_snapshot = std::move(snapshot);
    m_evaluation = std::move(evaluation);
    m_table = std::move(table);
    m_rows = std::move(rows);
    m_strips.clear();
    endResetModel();
}

void TopModel::setStrips(std::unordered_map<std::string_view, QList<qint64>> strips)
{
    m_strips = std::move(strips);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, Strip), index(rowCount() - 1, Strip), {kStripRole});
}

} // namespace hearth
