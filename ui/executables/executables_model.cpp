#include "ui/executables/executables_model.h"

#include "ui/table/top_model.h"
#include "ui/theme/figures.h"

namespace hearth {

namespace {

bool isNumber(int column)
{
    return column < ExecutablesModel::Name;
}

/// Of what is not all, never 100 %.
QString namedText(double share)
{
    return share < 1 && share > 0.999 ? QStringLiteral("99.9 %") : shareText(share, 1);
}

} // namespace

int ExecutablesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_table ? 0 : static_cast<int>(m_table->rows.size());
}

int ExecutablesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(kColumns);
}

QVariant ExecutablesModel::data(const QModelIndex &index, int role) const
{
    const BinaryRow &row = rowAt(index.row());
    const auto column = static_cast<Column>(index.column());
    const auto whole = static_cast<double>(m_evaluation->total);
    if (role == Qt::TextAlignmentRole)
        return int((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == kShareRole && (column == TotalShare || column == SelfShare))
        return whole == 0 ? 0.0 : static_cast<double>(column == SelfShare ? row.self : row.total) / whole;
    if (role == kShareRole && column == Named)
        return row.named;
    if (role == kNumberRole) {
        if (column == Total)
            return QVariant(qlonglong(row.total));
        if (column == Frames)
            return QVariant(qulonglong(row.frames));
        if (column == Named)
            return QVariant(100 * row.named);
        return isNumber(column)
                   ? QVariant(percentOf(column == SelfShare ? row.self : row.total, m_evaluation->total))
                   : QVariant();
    }
    if (role == Qt::ToolTipRole)
        return column == Name     ? qString(row.path.empty() ? nameOf(row) : row.path)
               : column == Frames ? tr("%1 of them without a name").arg(countText(row.namelessFrames))
               : column == Source && row.symbols != nullptr ? qString(row.symbols->file)
               : column == Problem                          ? data(index, Qt::DisplayRole).toString()
                                                            : QString();
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Total:
        return valueText(row.total, m_evaluation->series.unit);
    case TotalShare:
        return shareText(static_cast<double>(row.total), whole);
    case SelfShare:
        return shareText(static_cast<double>(row.self), whole);
    case Named:
        return namedText(row.named);
    case Frames:
        return countText(row.frames);
    case Name:
        return qString(nameOf(row));
    case Source:
        return row.symbols == nullptr ? tr("the sender") : qString(describe(row.symbols->source));
    case Problem:
        return row.namelessFrames == 0 ? QString() : qString(problemOf(row));
    case kColumns:
        break;
    }
    return {};
}

QVariant ExecutablesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == kNumberRole && section == Total && m_evaluation)
        return QString::fromStdString(m_evaluation->series.unit);
    if (role != Qt::DisplayRole)
        return {};
    const QStringList names{tr("Total"),  tr("Total %"), tr("Self %"),     tr("Named"),
                            tr("Frames"), tr("Binary"),  tr("Names from"), tr("What is missing")};
    return names.value(section);
}

void ExecutablesModel::set(std::shared_ptr<const Evaluation> evaluation,
                           std::shared_ptr<const BinaryTable> table)
{
    beginResetModel();
    m_evaluation = std::move(evaluation);
    m_table = std::move(table);
    endResetModel();
}

} // namespace hearth
