#include "ui/traces/group_model.h"

#include "model/views/stack_weights.h"
#include "ui/theme/figures.h"

#include <algorithm>
#include <compare>
#include <numeric>
#include <utility>

namespace hearth {

int GroupModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int GroupModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant GroupModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section <= Service ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Span");
    case Service:
        return tr("Service");
    case Count:
        return tr("Count");
    case Errors:
        return tr("Errors");
    case P50:
        return tr("p50");
    case P99:
        return tr("p99");
    default:
        return tr("CPU");
    }
}

QVariant GroupModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const SpanGroup &group = groupAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return figure(group, index.column());
    case Qt::TextAlignmentRole:
        return int((index.column() <= Service ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return tr("%1 of %2: %3 spans, %4 with error\nhalf within %5, 90 % within %6, 99 % within %7, "
                  "longest %8\n"
                  "%9 on CPU in the spans themselves")
            .arg(qString(text(group.name)), qString(text(group.service)), countText(group.count),
                 countText(group.failed), valueText(group.p50Ns, "nanoseconds"),
                 valueText(group.p90Ns, "nanoseconds"), valueText(group.p99Ns, "nanoseconds"),
                 valueText(group.longestNs, "nanoseconds"), valueText(group.onCpuNs, "nanoseconds"));
    default:
        return {};
    }
}

QString GroupModel::figure(const SpanGroup &group, int column) const
{
    switch (column) {
    case Name:
        return qString(text(group.name));
    case Service:
        return qString(text(group.service));
    case Count:
        return countText(group.count);
    case Errors:
        return shareText(group.failed, group.count);
    case P50:
        return valueText(group.p50Ns, "nanoseconds");
    case P99:
        return valueText(group.p99Ns, "nanoseconds");
    default:
        return shareText(static_cast<double>(group.onCpuNs), static_cast<double>(m_onCpuNs));
    }
}

void GroupModel::set(std::shared_ptr<const TraceEvaluation> evaluation)
{
    beginResetModel();
    m_evaluation = std::move(evaluation);
    m_onCpuNs = 0;
    if (m_evaluation)
        for (const SpanGroup &group : m_evaluation->groups.groups)
            addTo(m_onCpuNs, group.onCpuNs);
    arrange();
    endResetModel();
}

void GroupModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = column;
    m_order = order;
    arrange();
    endResetModel();
}

void GroupModel::arrange()
{
    m_rows.resize(m_evaluation ? m_evaluation->groups.groups.size() : 0);
    std::iota(m_rows.begin(), m_rows.end(), 0U);
    const auto compare = [this](const SpanGroup &a, const SpanGroup &b) -> std::weak_ordering {
        switch (m_column) {
        case Name:
            return text(a.name) <=> text(b.name);
        case Service:
            return text(a.service) <=> text(b.service);
        case Count:
            return a.count <=> b.count;
        case Errors: // shares, without dividing
            return std::uint64_t(a.failed) * b.count <=> std::uint64_t(b.failed) * a.count;
        case P50:
            return a.p50Ns <=> b.p50Ns;
        case P99:
            return a.p99Ns <=> b.p99Ns;
        default:
            return a.onCpuNs <=> b.onCpuNs;
        }
    };
    std::ranges::stable_sort(m_rows, [&](std::uint32_t a, std::uint32_t b) {
        const auto &groups = m_evaluation->groups.groups;
        const std::weak_ordering order = compare(groups[a], groups[b]);
        return m_order == Qt::AscendingOrder ? order < 0 : order > 0;
    });
}

} // namespace hearth
