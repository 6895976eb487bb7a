#include "ui/traces/span_details.h"

#include "model/lens/attribute_keys.h"
#include "ui/theme/figures.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <map>

namespace hearth {

namespace {

constexpr std::uint32_t kMostShown = 200; ///< attributes, events or links of a span; more are counted

QLabel *textLabel(QWidget *parent, const QString &text, bool isMuted)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText); // attributes may look like markup
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
    label->setForegroundRole(isMuted ? QPalette::Dark : QPalette::WindowText);
    return label;
}

QString kindText(SpanKind kind)
{
    const std::array<QString, 6> texts{QString(),
                                       SpanDetails::tr("internal"),
                                       SpanDetails::tr("server"),
                                       SpanDetails::tr("client"),
                                       SpanDetails::tr("producer"),
                                       SpanDetails::tr("consumer")};
    const auto number = static_cast<std::size_t>(kind);
    return number < texts.size() ? texts[number] : QString();
}

} // namespace

SpanDetails::SpanDetails(QWidget *parent) : QWidget(parent), m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(12, 6, 12, 10);
    m_column->setSpacing(3);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
}

void SpanDetails::clear()
{
    while (QLayoutItem *item = m_column->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_lines.clear();
}

void SpanDetails::addHead(const QString &text)
{
    auto *label = new QLabel(text, this);
    QFont font = label->font();
    font.setPixelSize(11);
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setForegroundRole(QPalette::Dark);
    label->setContentsMargins(0, 8, 0, 0);
    m_column->addWidget(label);
    m_lines += text;
}

void SpanDetails::addLine(const QString &key, const QString &value)
{
    if (value.isEmpty())
        return;
    constexpr qsizetype kMostShownText = 2000; // laying out a megabyte takes longer than anybody waits
    const QString shown =
        value.size() <= kMostShownText ? value : value.left(kMostShownText) + QStringLiteral("…");
    m_column->addWidget(textLabel(this, QStringLiteral("%1  %2").arg(key, shown), false));
    m_lines += key + QLatin1Char('\t') + value;
}

void SpanDetails::addAttributes(const Snapshot &snapshot, AttributeSetId set)
{
    const std::span<const AttributeId> all = snapshot.attributesOf(set);
    for (const AttributeId id : all.first(std::min<std::size_t>(all.size(), kMostShown))) {
        const Attribute &attribute = snapshot.attributes[id.value];
        addLine(qString(snapshot.text(attribute.key)),
                QString::fromStdString(printAttribute(snapshot, attribute)));
    }
    if (all.size() > kMostShown)
        addLine(tr("not shown here"), tr("%1 attributes").arg(countText(all.size() - kMostShown)));
}

void SpanDetails::addLink(const Snapshot &snapshot, const SpanLink &link)
{
    const Link &target = snapshot.links[link.target.value];
    const QString id = QString::fromStdString(traceText(target));
    auto *button = new QPushButton(tr("trace %1…").arg(id.left(16)), this);
    button->setProperty("link", true);
    connect(
        button, &QPushButton::clicked, this, [this, id] { Q_EMIT traceRequested(id); },
        Qt::QueuedConnection); // the button goes away with it
    m_column->addWidget(button, 0, Qt::AlignLeft);
    m_lines +=
        tr("link") + QLatin1Char('\t') + id + QLatin1Char('/') + QString::fromStdString(spanText(target));
    addAttributes(snapshot, link.attributes);
}

/// The threads that it was sampled in: for spans that have not been received that is all there is.
void SpanDetails::addThreads(const Snapshot &snapshot, std::span<const TraceSamples::Part> parts)
{
    const ResolvedKey process = resolveKey(snapshot, "process");
    const ResolvedKey thread = resolveKey(snapshot, "thread");
    std::map<std::string, std::uint64_t> threads;
    for (const TraceSamples::Part &part : parts) {
        std::string name = attributeText(snapshot, part.context, thread);
        const std::string of = attributeText(snapshot, part.context, process);
        if (!of.empty() && of != name)
            name += name.empty() ? of : " · " + of;
        threads[name] += part.samples;
    }
    threads.erase(std::string());
    if (threads.empty())
        return;
    addHead(tr("THREADS"));
    std::uint32_t shown = 0;
    for (const auto &[name, samples] : threads)
        if (++shown <= kMostShown)
            addLine(qString(name), tr("%1 samples").arg(countText(samples)));
    if (threads.size() > kMostShown)
        addLine(tr("not shown here"), countText(threads.size() - kMostShown));
}

void SpanDetails::addLogs(const Snapshot &snapshot, std::int64_t startNs, std::span<const LogMark> logs)
{
    if (logs.empty())
        return;
    addHead(tr("LOG"));
    for (const LogMark &mark : logs.first(std::min<std::size_t>(logs.size(), kMostShown))) {
        const LogRecord &record = logRecord(snapshot, mark.log);
        addLine(QString::fromStdString(severityText(snapshot, record)),
                tr("%1 after %2")
                    .arg(QString::fromStdString(printAttribute(snapshot, record.body)),
                         valueText(mark.timeNs - startNs, "nanoseconds")));
    }
    if (logs.size() > kMostShown)
        addLine(tr("not shown here"), countText(logs.size() - kMostShown));
}

void SpanDetails::show(const SpanStudy &study, const WaterfallRow &row, std::span<const LogMark> logs,
                       std::span<const TraceSamples::Part> parts)
{
    clear();
    const Snapshot &snapshot = *study.snapshot;
    const Link &ids = snapshot.links[row.link.value];
    addHead(tr("SPAN"));
    addLine(tr("id"), QString::fromStdString(spanText(ids)));
    addLine(tr("samples"), countText(row.samples));
    if (row.span.isNone()) {
        addThreads(snapshot, parts);
        addLogs(snapshot, row.startNs, logs);
        return m_column->addStretch();
    }
    const SpanRecord record = spanRecord(snapshot, row.span);
    const Span &span = *record.span;
    addLine(tr("kind"), kindText(span.kind));
    if (span.status == SpanStatus::Error)
        addLine(tr("error"), span.statusMessage == StringId() ? tr("without a message")
                                                              : qString(snapshot.text(span.statusMessage)));
    if (span.parent != LinkId())
        addLine(row.isOrphan ? tr("parent, not received") : tr("parent"),
                QString::fromStdString(spanText(snapshot.links[span.parent.value])));
    addLine(tr("trace state"), qString(snapshot.text(span.traceState)));
    const Context &context = snapshot.contexts[span.context.value];
    for (const auto &[set, title] :
         {std::pair(context.sample, tr("ATTRIBUTES")), std::pair(context.scope, tr("SCOPE")),
          std::pair(context.resource, tr("RESOURCE"))})
        if (!snapshot.attributesOf(set).empty()) {
            addHead(title);
            addAttributes(snapshot, set);
        }
    addThreads(snapshot, parts);
    addLogs(snapshot, row.startNs, logs);
    if (span.eventCount > 0)
        addHead(tr("EVENTS"));
    for (std::uint32_t i = 0; i < std::min(span.eventCount, kMostShown); ++i) {
        const SpanEvent &event = record.chunk->events[span.eventBegin + i];
        const auto after = static_cast<std::int64_t>(event.timeNs - span.startNs);
        addLine(qString(snapshot.text(event.name)), tr("after %1").arg(valueText(after, "nanoseconds")));
        addAttributes(snapshot, event.attributes);
    }
    if (span.linkCount > 0)
        addHead(tr("LINKS"));
    for (std::uint32_t i = 0; i < std::min(span.linkCount, kMostShown); ++i)
        addLink(snapshot, record.chunk->links[span.linkBegin + i]);
    const std::uint64_t hidden = std::max(span.eventCount, kMostShown) - kMostShown +
                                 std::max(span.linkCount, kMostShown) - kMostShown;
    if (hidden > 0)
        addLine(tr("not shown here"), tr("%1 events and links").arg(countText(hidden)));
    const std::uint64_t dropped =
        std::uint64_t(span.droppedAttributes) + span.droppedEvents + span.droppedLinks;
    if (dropped > 0)
        addLine(tr("left out by the sender"), countText(dropped));
    m_column->addStretch();
}

} // namespace hearth
