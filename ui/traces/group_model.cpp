#include "ui/traces/group_model.h"

#include "model/views/stack_weights.h"
#include "ui/table/top_model.h"
#include "ui/theme/figures.h"

#include <utility>

namespace hearth {

namespace {

QVariant exactly(const SpanGroup &group, int column, std::int64_t onCpuNs)
{
    switch (column) {
    case GroupModel::Count:
        return group.count;
    case GroupModel::Errors:
        return percentOf(group.failed, group.count);
    case GroupModel::P50:
        return qlonglong(group.p50Ns);
    case GroupModel::P99:
        return qlonglong(group.p99Ns);
    case GroupModel::OnCpu:
        return percentOf(group.onCpuNs, onCpuNs);
    default:
        return {};
    }
}

QString unitOf(int column)
{
    const bool isTime = column == GroupModel::P50 || column == GroupModel::P99;
    const bool isShare = column == GroupModel::Errors || column == GroupModel::OnCpu;
    return isTime ? QStringLiteral("nanoseconds") : isShare ? QStringLiteral("%") : QString();
}

} // namespace

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
    if (role == kNumberRole)
        return unitOf(section);
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
    case kNumberRole:
        return exactly(group, index.column(), m_onCpuNs);
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

void GroupModel::set(std::shared_ptr<const TraceEvaluation> evaluation, std::vector<std::uint32_t> rows)
{
    beginResetModel();
    m_evaluation = std::move(evaluation);
    m_rows = std::move(rows);
    m_onCpuNs = 0;
    for (const SpanGroup &group : m_evaluation->groups.groups)
        addTo(m_onCpuNs, group.onCpuNs);
    endResetModel();
}

GroupKey groupKeyOf(GroupModel::Column column)
{
    switch (column) {
    case GroupModel::Name:
        return GroupKey::Name;
    case GroupModel::Service:
        return GroupKey::Service;
    case GroupModel::Errors:
        return GroupKey::Failed;
    case GroupModel::P50:
        return GroupKey::P50;
    case GroupModel::P99:
        return GroupKey::P99;
    case GroupModel::OnCpu:
        return GroupKey::OnCpu;
    default:
        return GroupKey::Count;
    }
}

} // namespace hearth
