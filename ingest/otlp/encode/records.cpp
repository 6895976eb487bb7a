#include "ingest/otlp/encode/records.h"

#include "ingest/bytes/wire_writer.h"
#include "ingest/otlp/encode/any_value.h"
#include "ingest/otlp/encode/envelope_writer.h"
#include "ingest/otlp/fields.h"

namespace hearth::otlp {

namespace {

template <class Field>
std::string attributesOf(const Snapshot &snapshot, AttributeSetId set, Field field)
{
    return keyValuesOf(snapshot, set, static_cast<std::uint32_t>(field));
}

class SpanEncoder {
public:
    explicit SpanEncoder(const Snapshot &snapshot) : m_snapshot(snapshot) {}

    std::string encode(const SpanChunk &chunk, const Span &span) const
    {
        std::string out;
        WireWriter writer(out);
        writeLink(writer, SpanField::TraceId, SpanField::SpanId, m_snapshot.links[span.id.value]);
        writer.nonEmpty(SpanField::TraceState, m_snapshot.text(span.traceState));
        if (span.parent != LinkId())
            writer.bytes(SpanField::ParentSpanId, idText(m_snapshot.links[span.parent.value].span));
        writer.nonEmpty(SpanField::Name, m_snapshot.text(span.name));
        writer.number(SpanField::Kind, static_cast<std::uint64_t>(span.kind));
        writer.fixed64(SpanField::Start, span.startNs);
        writer.fixed64(SpanField::End, span.endNs);
        out +=
            attributesOf(m_snapshot, m_snapshot.contexts[span.context.value].sample, SpanField::Attributes);
        writer.number(SpanField::DroppedAttributes, span.droppedAttributes);
        for (std::uint32_t i = 0; i < span.eventCount; ++i)
            writer.bytes(SpanField::Events, eventOf(chunk.events[span.eventBegin + i]));
        writer.number(SpanField::DroppedEvents, span.droppedEvents);
        for (std::uint32_t i = 0; i < span.linkCount; ++i)
            writer.bytes(SpanField::Links, linkOf(chunk.links[span.linkBegin + i]));
        writer.number(SpanField::DroppedLinks, span.droppedLinks);
        std::string status;
        WireWriter statusWriter(status);
        statusWriter.nonEmpty(StatusField::Message, m_snapshot.text(span.statusMessage));
        statusWriter.number(StatusField::Code, static_cast<std::uint64_t>(span.status));
        writer.nonEmpty(SpanField::Status, status);
        writer.fixed32(SpanField::Flags, span.flags);
        return out;
    }

private:
    std::string eventOf(const SpanEvent &event) const
    {
        std::string out;
        WireWriter writer(out);
        writer.fixed64(EventField::Time, event.timeNs);
        writer.nonEmpty(EventField::Name, m_snapshot.text(event.name));
        out += attributesOf(m_snapshot, event.attributes, EventField::Attributes);
        writer.number(EventField::DroppedAttributes, event.droppedAttributes);
        return out;
    }

    std::string linkOf(const SpanLink &link) const
    {
        std::string out;
        WireWriter writer(out);
        writeLink(writer, SpanLinkField::TraceId, SpanLinkField::SpanId, m_snapshot.links[link.target.value]);
        writer.nonEmpty(SpanLinkField::TraceState, m_snapshot.text(link.traceState));
        out += attributesOf(m_snapshot, link.attributes, SpanLinkField::Attributes);
        writer.number(SpanLinkField::DroppedAttributes, link.droppedAttributes);
        writer.fixed32(SpanLinkField::Flags, link.flags);
        return out;
    }

    const Snapshot &m_snapshot;
};

std::string encodeLog(const Snapshot &snapshot, const LogRecord &record)
{
    std::string out;
    WireWriter writer(out);
    writer.fixed64(LogField::Time, record.timeNs);
    writer.number(LogField::Severity, record.severity);
    writer.nonEmpty(LogField::SeverityText, snapshot.text(record.severityText));
    if (record.body != Attribute())
        writer.bytes(LogField::Body, anyValueOf(snapshot, record.body));
    out += attributesOf(snapshot, snapshot.contexts[record.context.value].sample, LogField::Attributes);
    writer.number(LogField::DroppedAttributes, record.droppedAttributes);
    writer.fixed32(LogField::Flags, record.flags);
    writeLink(writer, LogField::TraceId, LogField::SpanId, snapshot.links[record.link.value]);
    writer.fixed64(LogField::ObservedTime, record.observedTimeNs);
    writer.nonEmpty(LogField::EventName, snapshot.text(record.eventName));
    return out;
}

} // namespace

std::string tracesOf(const Snapshot &snapshot)
{
    EnvelopeWriter envelope(snapshot);
    const SpanEncoder encoder(snapshot);
    snapshot.spans.forEach([&](const SpanChunk &chunk, const Span &span) {
        WireWriter(envelope.records(snapshot.contexts[span.context.value]))
            .bytes(kScopeRecord, encoder.encode(chunk, span));
    });
    return envelope.finish();
}

std::string logsOf(const Snapshot &snapshot)
{
    EnvelopeWriter envelope(snapshot);
    snapshot.logs.forEach([&](const LogChunk &, const LogRecord &record) {
        WireWriter(envelope.records(snapshot.contexts[record.context.value]))
            .bytes(kScopeRecord, encodeLog(snapshot, record));
    });
    return envelope.finish();
}

} // namespace hearth::otlp
