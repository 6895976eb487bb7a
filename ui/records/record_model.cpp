#include "ui/records/record_model.h"

#include "model/lens/attribute_keys.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QDateTime>

#include <array>
#include <utility>

namespace hearth {

namespace {

/// What is painted of a text, which may be megabytes long.
QString shortened(std::string_view text)
{
    constexpr std::size_t kMost = 2000;
    return text.size() <= kMost ? qString(text) : qString(text.substr(0, kMost)) + QStringLiteral("…");
}

} // namespace

int RecordModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_rows ? 0 : static_cast<int>(m_rows->size());
}

int RecordModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant RecordModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const std::array<QString, kColumns> titles{tr("Time"), tr("Severity"), tr("Service"), tr("Message"),
                                               tr("Trace")};
    return titles[static_cast<std::size_t>(section)];
}

QVariant RecordModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const LogRecord &record = recordAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(record, index.column());
    case Qt::ForegroundRole:
        if (index.column() == Severity && record.severity >= kSeverityWarn)
            return record.severity >= kSeverityError ? theme().bad : theme().warn;
        return index.column() == Body ? QVariant() : QVariant(theme().muted);
    case Qt::ToolTipRole:
        return text(record, Body) + QLatin1Char('\n') + attributesAt(index.row());
    default:
        return {};
    }
}

QString RecordModel::text(const LogRecord &record, int column) const
{
    switch (column) {
    case Time:
        return record.effectiveTimeNs() == 0
                   ? QString()
                   : QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(record.effectiveTimeNs() / 1'000'000))
                         .toString(QStringLiteral("HH:mm:ss.zzz"));
    case Severity:
        return QString::fromStdString(severityText(*m_snapshot, record));
    case Service:
        return qString(m_snapshot->text(m_services->of(record.context)));
    case Body:
        return record.body.hasText() && record.body.text() == StringId()
                   ? qString(m_snapshot->text(record.eventName)) // an event without a body
                   : shortened(printAttribute(*m_snapshot, record.body)).simplified();
    default:
        return record.link == LinkId()
                   ? QString()
                   : QString::fromStdString(traceText(m_snapshot->links[record.link.value])).left(16);
    }
}

QString RecordModel::attributesAt(int row) const
{
    const Context &context = m_snapshot->contexts[recordAt(row).context.value];
    QStringList lines;
    constexpr qsizetype kMost = 30; // of a tooltip
    for (const AttributeSetId set : {context.sample, context.scope, context.resource})
        for (const AttributeId id : m_snapshot->attributesOf(set)) {
            if (lines.size() == kMost)
                return lines.join(QLatin1Char('\n')) + QStringLiteral("\n…");
            const Attribute &attribute = m_snapshot->attributes[id.value];
            lines += qString(m_snapshot->text(attribute.key)) + QStringLiteral(" = ") +
                     shortened(printAttribute(*m_snapshot, attribute));
        }
    return lines.join(QLatin1Char('\n'));
}

void RecordModel::set(std::shared_ptr<const Snapshot> snapshot,
                      std::shared_ptr<const std::vector<std::uint32_t>> rows)
{
    beginResetModel();
    m_snapshot = std::move(snapshot);
    m_rows = std::move(rows);
    m_services.emplace(*m_snapshot);
    endResetModel();
}

} // namespace hearth
