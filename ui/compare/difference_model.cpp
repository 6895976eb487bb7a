#include "ui/compare/difference_model.h"

#include "ui/table/top_model.h"
#include "ui/theme/figures.h"
#include "ui/theme/function_names.h"
#include "ui/theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace hearth {

namespace {

constexpr std::array kNumbers{DifferenceKey::Base, DifferenceKey::Current, DifferenceKey::Change,
                              DifferenceKey::Growth};

bool isOfSelf(int column)
{
    return column < DifferenceModel::TotalBase;
}

/// What one of the eight columns of numbers tells.
DifferenceKey keyOf(int column)
{
    return kNumbers[static_cast<std::size_t>(column) % kNumbers.size()];
}

const Change &changeOf(const DifferenceRow &row, int column)
{
    return isOfSelf(column) ? row.self : row.total;
}

/// Of the weight itself, unless only what it calls tells more than chance.
QString verdictOf(const DifferenceRow &row)
{
    const bool isOfTotal = !row.self.isSignificant() && (row.total.isSignificant() || row.self.delta() == 0);
    const Change &change = isOfTotal ? row.total : row.self;
    if (change.delta() == 0)
        return DifferenceModel::tr("the same");
    if (!change.isSignificant())
        return DifferenceModel::tr("chance");
    if (row.total.isNew() || row.total.isGone())
        return row.total.isNew() ? DifferenceModel::tr("new") : DifferenceModel::tr("gone");
    return change.delta() > 0 ? DifferenceModel::tr("more") : DifferenceModel::tr("less");
}

double shareOfLargest(const Change &change, std::uint64_t largest)
{
    return largest > 0 ? std::abs(static_cast<double>(change.delta())) / static_cast<double>(largest) : 0;
}

} // namespace

int DifferenceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DifferenceModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(kColumns);
}

QVariant DifferenceModel::number(const DifferenceRow &row, Column column, int role) const
{
    const Change &change = changeOf(row, column);
    const DifferenceKey key = keyOf(column);
    const std::string &unit = m_table->difference->series.unit;
    const std::int64_t value = key == DifferenceKey::Base      ? change.base
                               : key == DifferenceKey::Current ? change.current
                                                               : change.delta();
    switch (role) {
    case Qt::DisplayRole:
        return key == DifferenceKey::Growth   ? growthText(change)
               : key == DifferenceKey::Change ? signedText(value, unit)
                                              : valueText(value, unit);
    case Qt::ForegroundRole:
        return key == DifferenceKey::Growth && !change.isSignificant() ? theme().muted : QVariant();
    case Qt::ToolTipRole:
        return QString::number(value) + QLatin1Char(' ') + QString::fromStdString(unit);
    case kNumberRole:
        if (key != DifferenceKey::Growth)
            return qlonglong(value);
        return change.growth() ? QVariant(std::round(1e5 * *change.growth()) / 1e3) : QVariant();
    case kShareRole:
        if (key != DifferenceKey::Change)
            return {};
        return shareOfLargest(change, isOfSelf(column) ? m_table->largestSelf : m_table->largestTotal);
    case Qt::DecorationRole:
        if (key != DifferenceKey::Change)
            return {};
        return mixed(theme().panel,
                     changeColor(!change.isSignificant() ? 0
                                 : change.delta() > 0    ? 1
                                                         : -1),
                     0.6);
    default:
        return {};
    }
}

QVariant DifferenceModel::data(const QModelIndex &index, int role) const
{
    const DifferenceRow &row = rowAt(index.row());
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole)
        return int((column < Verdict ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (column < Verdict)
        return number(row, column, role);
    if (role == Qt::ForegroundRole && column == Verdict)
        return row.self.isSignificant() || row.total.isSignificant() ? QVariant() : theme().muted;
    if (role == kFunctionRole)
        return column == Name;
    if (role == Qt::ToolTipRole)
        return column == Name ? qString(row.name) : column == Place ? qString(row.file) : QString();
    if (role != Qt::DisplayRole)
        return {};
    if (column == Verdict)
        return verdictOf(row);
    if (column == Name)
        return functionText(row.name);
    const std::string_view place = row.file.empty() ? row.binary : row.file;
    return qString(baseName(place)) +
           (row.line > 0 ? QLatin1Char(':') + QString::number(row.line) : QString());
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section < Verdict ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == kNumberRole && section < Verdict && m_table)
        return keyOf(section) == DifferenceKey::Growth
                   ? QStringLiteral("%")
                   : QString::fromStdString(m_table->difference->series.unit);
    if (role != Qt::DisplayRole)
        return {};
    const QStringList names{tr("Self A"),  tr("Self B"),   tr("Self change"),  tr("%"),
                            tr("Total A"), tr("Total B"),  tr("Total change"), tr("%"),
                            tr("Verdict"), tr("Function"), tr("Source")};
    return names.value(section);
}

void DifferenceModel::set(std::shared_ptr<const DifferenceTable> table, std::vector<std::uint32_t> rows)
{
    beginResetModel();
    m_table = std::move(table);
    m_rows = std::move(rows);
    endResetModel();
}

DifferenceArrangement arrangementBy(DifferenceModel::Column column, bool isDescending)
{
    const DifferenceOrder of =
        column < DifferenceModel::TotalBase ? DifferenceOrder::Self : DifferenceOrder::Total;
    const DifferenceKey key = column == DifferenceModel::Verdict ? DifferenceKey::Verdict
                              : column == DifferenceModel::Name  ? DifferenceKey::Name
                              : column == DifferenceModel::Place ? DifferenceKey::Place
                                                                 : keyOf(column);
    return {of, key, isDescending};
}

} // namespace hearth
