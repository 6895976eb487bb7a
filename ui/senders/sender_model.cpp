#include "ui/senders/sender_model.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace hearth {

namespace {

bool isSame(const SenderRow &a, const SenderRow &b)
{
    return a.program == b.program && a.host == b.host;
}

QString countOrNothing(quint64 count)
{
    return count == 0 ? QString() : countText(count);
}

QString textOf(const SenderRow &sender, int column)
{
    switch (column) {
    case SenderModel::Program:
        return sender.program.isEmpty() ? SenderModel::tr("(does not say)") : sender.program;
    case SenderModel::Host:
        return sender.host;
    case SenderModel::Generation:
        return sender.generation;
    case SenderModel::Rate:
        return countText(static_cast<quint64>(std::llround(sender.rate)));
    case SenderModel::Records:
        return countText(sender.records);
    case SenderModel::Requests:
        return countText(sender.requests);
    case SenderModel::Bytes:
        return bytesText(sender.bytes);
    case SenderModel::LeftOut:
        return countOrNothing(sender.leftOut);
    case SenderModel::Refused:
        return countOrNothing(sender.refused);
    default:
        return sender.lastSeen.toString(QStringLiteral("HH:mm:ss"));
    }
}

} // namespace

void SenderModel::set(std::vector<SenderRow> rows)
{
    for (int row = rowCount(); row-- > 0;) {
        const auto found = std::ranges::find_if(rows, [&](const SenderRow &sender) {
            return isSame(sender, m_rows[static_cast<std::size_t>(row)]);
        });
        if (found != rows.end()) {
            replace(row, std::move(*found));
            rows.erase(found);
            continue;
        }
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    if (rows.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(rows.size()) - 1);
    std::ranges::move(rows, std::back_inserter(m_rows));
    endInsertRows();
}

void SenderModel::replace(int row, SenderRow sender)
{
    SenderRow &old = m_rows[static_cast<std::size_t>(row)];
    const QModelIndex parent = index(row, 0);
    const auto before = static_cast<int>(old.reasons.size());
    const auto after = static_cast<int>(sender.reasons.size());
    if (after > before)
        beginInsertRows(parent, before, after - 1);
    else if (after < before)
        beginRemoveRows(parent, after, before - 1);
    old = std::move(sender);
    if (after > before)
        endInsertRows();
    else if (after < before)
        endRemoveRows();
    Q_EMIT dataChanged(parent, index(row, kColumns - 1));
    if (after > 0)
        Q_EMIT dataChanged(index(0, 0, parent), index(after - 1, 0, parent));
}

const SenderRow &SenderModel::senderAt(const QModelIndex &index) const
{
    return m_rows[static_cast<std::size_t>(index.parent().isValid() ? index.parent().row() : index.row())];
}

/// A reason's index has the row of its sender, counted from one.
QModelIndex SenderModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : quintptr(0));
}

QModelIndex SenderModel::parent(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return {};
    return createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr(0));
}

int SenderModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_rows.size());
    return parent.internalId() == 0 && parent.column() == 0
               ? static_cast<int>(m_rows[static_cast<std::size_t>(parent.row())].reasons.size())
               : 0;
}

int SenderModel::columnCount(const QModelIndex &) const
{
    return kColumns;
}

QVariant SenderModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const SenderRow &sender = senderAt(index);
    const bool isReason = index.internalId() != 0;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return isReason ? (index.column() == 0 ? sender.reasons[index.row()] : QString())
                        : textOf(sender, index.column());
    case Qt::TextAlignmentRole:
        return int((index.column() >= Rate && index.column() <= Refused ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return isReason || index.column() == LeftOut || index.column() == Refused ? QVariant(theme().warn)
                                                                                  : QVariant();
    default:
        return {};
    }
}

QVariant SenderModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section >= Rate && section <= Refused ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const std::array<QString, kColumns> titles{tr("Sender"),  tr("From"),     tr("OTLP"),  tr("Records/s"),
                                               tr("Records"), tr("Requests"), tr("Bytes"), tr("Left out"),
                                               tr("Refused"), tr("Last seen")};
    return titles[static_cast<std::size_t>(section)];
}

} // namespace hearth
