#include "ingest/otlp/fields.h"
#include "ingest/otlp/records.h"

#include <algorithm>

namespace hearth::otlp {

namespace {

template <class Field>
constexpr std::uint32_t numberOf(Field field)
{
    return static_cast<std::uint32_t>(field);
}

class TracesDecoder {
public:
    TracesDecoder(Bytes message, Batch &batch) : m_reader(message, "span", batch), m_spans(batch.spans) {}

    RecordCounts run()
    {
        m_reader.forEachRecord([this](Bytes span) { decodeSpan(span); });
        return m_reader.counts();
    }

private:
    struct Ids {
        Bytes trace, span, parent;
    };

    void decodeSpan(Bytes message);
    bool readField(const WireField &field, Span &span, Ids &ids);
    bool readStatus(Bytes message, Span &span);
    bool addEvent(Bytes message);
    bool addLink(Bytes message);

    RecordReader m_reader;
    SpanChunk &m_spans;
};

void TracesDecoder::decodeSpan(Bytes message)
{
    Span span;
    Ids ids;
    span.eventBegin = static_cast<std::uint32_t>(m_spans.events.size());
    span.linkBegin = static_cast<std::uint32_t>(m_spans.links.size());
    bool isWhole = true;
    WireReader reader(message);
    WireField field;
    while (isWhole && reader.next(field))
        isWhole = readField(field, span, ids);
    if (!isWhole || !reader.isOk()) {
        m_spans.events.resize(span.eventBegin);
        m_spans.links.resize(span.linkBegin);
        m_reader.reject(message, "it is damaged");
        return;
    }
    span.id = m_reader.link(ids.trace, ids.span);
    const bool isRoot = std::ranges::all_of(ids.parent, [](std::uint8_t byte) { return byte == 0; });
    span.parent = isRoot ? LinkId() : m_reader.link(ids.trace, ids.parent);
    span.context = m_reader.context(message, numberOf(SpanField::Attributes));
    span.eventCount = static_cast<std::uint32_t>(m_spans.events.size()) - span.eventBegin;
    span.linkCount = static_cast<std::uint32_t>(m_spans.links.size()) - span.linkBegin;
    m_spans.rows.push_back(span);
    m_reader.countDropped(std::uint64_t(span.droppedAttributes) + span.droppedEvents + span.droppedLinks);
    m_reader.accept();
}

bool TracesDecoder::readField(const WireField &field, Span &span, Ids &ids)
{
    const auto small = static_cast<std::uint32_t>(field.number64);
    switch (static_cast<SpanField>(field.number)) {
    case SpanField::TraceId:
        ids.trace = field.bytes;
        return field.isBytes();
    case SpanField::SpanId:
        ids.span = field.bytes;
        return field.isBytes();
    case SpanField::ParentSpanId:
        ids.parent = field.bytes;
        return field.isBytes();
    case SpanField::TraceState:
        span.traceState = m_reader.text(field);
        return field.isBytes();
    case SpanField::Name:
        span.name = m_reader.text(field);
        return field.isBytes();
    case SpanField::Kind:
        span.kind = static_cast<SpanKind>(std::min<std::uint64_t>(field.number64, 255));
        return field.isVarint();
    case SpanField::Start:
        span.startNs = field.number64;
        return field.type == WireType::Fixed64;
    case SpanField::End:
        span.endNs = field.number64;
        return field.type == WireType::Fixed64;
    case SpanField::Attributes:
        return field.isBytes(); // read with its context
    case SpanField::DroppedAttributes:
        span.droppedAttributes = small;
        return field.isVarint();
    case SpanField::Events:
        return field.isBytes() && addEvent(field.bytes);
    case SpanField::DroppedEvents:
        span.droppedEvents = small;
        return field.isVarint();
    case SpanField::Links:
        return field.isBytes() && addLink(field.bytes);
    case SpanField::DroppedLinks:
        span.droppedLinks = small;
        return field.isVarint();
    case SpanField::Status:
        return field.isBytes() && readStatus(field.bytes, span);
    case SpanField::Flags:
        span.flags = small;
        return field.type == WireType::Fixed32;
    }
    m_reader.countUnknown();
    return true;
}

bool TracesDecoder::readStatus(Bytes message, Span &span)
{
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        if (field.number == numberOf(StatusField::Message) && field.isBytes())
            span.statusMessage = m_reader.text(field);
        else if (field.number == numberOf(StatusField::Code) && field.isVarint())
            span.status = static_cast<SpanStatus>(std::min<std::uint64_t>(field.number64, 255));
        else
            m_reader.countUnknown();
    }
    return reader.isOk();
}

bool TracesDecoder::addEvent(Bytes message)
{
    SpanEvent event;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        switch (static_cast<EventField>(field.number)) {
        case EventField::Time:
            event.timeNs = field.number64;
            break;
        case EventField::Name:
            event.name = m_reader.text(field);
            break;
        case EventField::Attributes:
            break;
        case EventField::DroppedAttributes:
            event.droppedAttributes = static_cast<std::uint32_t>(field.number64);
            break;
        default:
            m_reader.countUnknown();
        }
    }
    event.attributes = m_reader.attributes(message, numberOf(EventField::Attributes));
    m_spans.events.push_back(event);
    m_reader.countDropped(event.droppedAttributes);
    return reader.isOk();
}

bool TracesDecoder::addLink(Bytes message)
{
    SpanLink link;
    Ids ids;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        switch (static_cast<SpanLinkField>(field.number)) {
        case SpanLinkField::TraceId:
            ids.trace = field.bytes;
            break;
        case SpanLinkField::SpanId:
            ids.span = field.bytes;
            break;
        case SpanLinkField::TraceState:
            link.traceState = m_reader.text(field);
            break;
        case SpanLinkField::Attributes:
            break;
        case SpanLinkField::DroppedAttributes:
            link.droppedAttributes = static_cast<std::uint32_t>(field.number64);
            break;
        case SpanLinkField::Flags:
            link.flags = static_cast<std::uint32_t>(field.number64);
            break;
        default:
            m_reader.countUnknown();
        }
    }
    link.target = m_reader.link(ids.trace, ids.span);
    link.attributes = m_reader.attributes(message, numberOf(SpanLinkField::Attributes));
    m_spans.links.push_back(link);
    m_reader.countDropped(link.droppedAttributes);
    return reader.isOk();
}

} // namespace

RecordCounts decodeTraces(Bytes message, Batch &batch)
{
    return TracesDecoder(message, batch).run();
}

} // namespace hearth::otlp
