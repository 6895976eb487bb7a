#include "ui/traces/trace_model.h"

#include "ui/table/top_model.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QDateTime>

#include <array>
#include <utility>

namespace hearth {

namespace {

/// What a cell shows rounded, or with another day's date left out.
QVariant exactly(const TraceSummary &trace, int column)
{
    switch (column) {
    case TraceModel::Start:
        return trace.startNs <= 0 ? QVariant() : QVariant(qlonglong(trace.startNs));
    case TraceModel::Duration:
        return qlonglong(trace.durationNs);
    case TraceModel::Spans:
        return trace.spans;
    case TraceModel::Errors:
        return trace.failed;
    case TraceModel::OnCpu:
        return qlonglong(trace.onCpuNs);
    case TraceModel::Waiting:
        return qlonglong(trace.waitingNs);
    case TraceModel::Samples:
        return qulonglong(trace.samples);
    default:
        return {};
    }
}

QString unitOf(int column)
{
    switch (column) {
    case TraceModel::Start:
        return QStringLiteral("unix nanoseconds");
    case TraceModel::Duration:
    case TraceModel::OnCpu:
    case TraceModel::Waiting:
        return QStringLiteral("nanoseconds");
    default:
        return {};
    }
}

} // namespace

int TraceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TraceModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant TraceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section <= Start ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == kNumberRole)
        return unitOf(section);
    if (role != Qt::DisplayRole)
        return {};
    const std::array<QString, kColumns> titles{tr("Trace"),    tr("Service"), tr("Start"),
                                               tr("Duration"), tr("Spans"),   tr("Errors"),
                                               tr("CPU"),      tr("Waiting"), tr("Samples")};
    return titles[static_cast<std::size_t>(section)];
}

QVariant TraceModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const TraceSummary &trace = traceAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return figure(trace, index.column());
    case kNumberRole:
        return exactly(trace, index.column());
    case Qt::TextAlignmentRole:
        return int((index.column() <= Start ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (index.column() == Errors && trace.failed > 0)
            return theme().bad;
        return index.column() == Service || index.column() == Start ? QVariant(theme().muted) : QVariant();
    case Qt::ToolTipRole:
        return idAt(index.row());
    default:
        return {};
    }
}

QString TraceModel::figure(const TraceSummary &trace, int column) const
{
    const Snapshot &snapshot = *m_evaluation->study->snapshot;
    switch (column) {
    case Name:
        return trace.root.isNone() ? tr("(no span received)")
                                   : qString(snapshot.text(m_evaluation->study->table.name(trace.root)));
    case Service:
        return qString(snapshot.text(trace.service));
    case Start:
        return trace.startNs <= 0 ? QString()
                                  : QDateTime::fromMSecsSinceEpoch(trace.startNs / 1'000'000)
                                        .toString(QStringLiteral("HH:mm:ss"));
    case Duration:
        return valueText(trace.durationNs, "nanoseconds");
    case Spans:
        return countText(trace.spans);
    case Errors:
        return trace.failed == 0 ? QString() : countText(trace.failed);
    case OnCpu:
        return valueText(trace.onCpuNs, "nanoseconds");
    case Waiting:
        return trace.waitingNs == 0 ? QString() : valueText(trace.waitingNs, "nanoseconds");
    default:
        return countText(trace.samples);
    }
}

void TraceModel::set(std::shared_ptr<const TraceEvaluation> evaluation, std::vector<std::uint32_t> rows)
{
    beginResetModel();
    m_evaluation = std::move(evaluation);
    m_rows = std::move(rows);
    endResetModel();
}

QString TraceModel::idAt(int row) const
{
    const SpanStudy &study = *m_evaluation->study;
    const LinkId link = study.table.anyLink(traceAt(row).trace);
    return QString::fromStdString(traceText(study.snapshot->links[link.value]));
}

TraceKey traceKeyOf(TraceModel::Column column)
{
    switch (column) {
    case TraceModel::Name:
        return TraceKey::Name;
    case TraceModel::Service:
        return TraceKey::Service;
    case TraceModel::Start:
        return TraceKey::Start;
    case TraceModel::Spans:
        return TraceKey::Spans;
    case TraceModel::Errors:
        return TraceKey::Failed;
    case TraceModel::OnCpu:
        return TraceKey::OnCpu;
    case TraceModel::Waiting:
        return TraceKey::Waiting;
    case TraceModel::Samples:
        return TraceKey::Samples;
    default:
        return TraceKey::Duration;
    }
}

} // namespace hearth
