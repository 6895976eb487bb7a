#include "ui/senders/request_model.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

namespace hearth {

namespace {

QString textOf(const RequestRow &request, int column)
{
    switch (column) {
    case RequestModel::Time:
        return request.time.toString(QStringLiteral("HH:mm:ss.zzz"));
    case RequestModel::Signal:
        return request.signal;
    case RequestModel::Transport:
        return request.transport;
    case RequestModel::Sender:
        return request.program.isEmpty() ? request.host : request.program;
    case RequestModel::Bytes:
        return bytesText(request.bytes);
    default:
        return request.outcome.isEmpty() ? RequestModel::tr("accepted") : request.outcome;
    }
}

} // namespace

void RequestModel::set(std::vector<RequestRow> rows)
{
    m_all = std::move(rows);
    update();
}

void RequestModel::showOnly(const std::optional<SenderRow> &sender)
{
    m_sender = sender;
    update();
}

/// The old ones go at the end, the new ones come at the beginning; where that is not so, as when others are
/// shown, all are new.
void RequestModel::update()
{
    std::vector<RequestRow> wanted;
    std::ranges::copy_if(m_all, std::back_inserter(wanted), [this](const RequestRow &request) {
        return !m_sender || (m_sender->program == request.program && m_sender->host == request.host);
    });
    std::unordered_set<const void *> kept;
    for (const RequestRow &request : wanted)
        kept.insert(request.identity.get());
    while (!m_shown.empty() && !kept.contains(m_shown.back().identity.get())) {
        beginRemoveRows({}, rowCount() - 1, rowCount() - 1);
        m_shown.pop_back();
        endRemoveRows();
    }
    const auto isSame = [](const RequestRow &a, const RequestRow &b) { return a.identity == b.identity; };
    if (wanted.size() < m_shown.size() ||
        !std::equal(m_shown.rbegin(), m_shown.rend(), wanted.rbegin(), isSame)) {
        beginResetModel();
        m_shown = std::move(wanted);
        endResetModel();
        return;
    }
    const std::size_t added = wanted.size() - m_shown.size();
    if (added == 0)
        return;
    beginInsertRows({}, 0, static_cast<int>(added) - 1);
    m_shown = std::move(wanted);
    endInsertRows();
}

int RequestModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int RequestModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant RequestModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const RequestRow &request = requestAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return textOf(request, index.column());
    case Qt::ToolTipRole:
        return index.column() == Outcome && !request.outcome.isEmpty() ? QVariant(request.outcome)
                                                                       : QVariant();
    case Qt::TextAlignmentRole:
        return int((index.column() == Bytes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (index.column() == Outcome)
            return request.outcome.isEmpty() ? theme().muted : theme().warn;
        return {};
    default:
        return {};
    }
}

QVariant RequestModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Bytes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const std::array<QString, kColumns> titles{tr("Time"),   tr("Signal"), tr("By"),
                                               tr("Sender"), tr("Bytes"),  tr("Outcome")};
    return titles[static_cast<std::size_t>(section)];
}

} // namespace hearth
