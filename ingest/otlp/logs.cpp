#include "ingest/otlp/fields.h"
#include "ingest/otlp/records.h"

#include <algorithm>

namespace hearth::otlp {

namespace {

class LogsDecoder {
public:
    LogsDecoder(Bytes message, Batch &batch) : m_reader(message, "log record", batch), m_logs(batch.logs) {}

    RecordCounts run()
    {
        m_reader.forEachRecord([this](Bytes record) { decodeRecord(record); });
        return m_reader.counts();
    }

private:
    void decodeRecord(Bytes message);
    bool readField(const WireField &field, LogRecord &record, Bytes &trace, Bytes &span);

    RecordReader m_reader;
    LogChunk &m_logs;
};

void LogsDecoder::decodeRecord(Bytes message)
{
    LogRecord record;
    Bytes trace;
    Bytes span;
    bool isWhole = true;
    WireReader reader(message);
    WireField field;
    while (isWhole && reader.next(field))
        isWhole = readField(field, record, trace, span);
    if (!isWhole || !reader.isOk()) {
        m_reader.reject(message, "it is damaged");
        return;
    }
    record.link = m_reader.link(trace, span);
    record.context = m_reader.context(message, static_cast<std::uint32_t>(LogField::Attributes));
    m_logs.rows.push_back(record);
    m_reader.countDropped(record.droppedAttributes);
    m_reader.accept();
}

bool LogsDecoder::readField(const WireField &field, LogRecord &record, Bytes &trace, Bytes &span)
{
    const auto small = static_cast<std::uint32_t>(std::min<std::uint64_t>(field.number64, 0xffffffffU));
    switch (static_cast<LogField>(field.number)) {
    case LogField::Time:
        record.timeNs = field.number64;
        return field.type == WireType::Fixed64;
    case LogField::ObservedTime:
        record.observedTimeNs = field.number64;
        return field.type == WireType::Fixed64;
    case LogField::Severity:
        record.severity = small;
        return field.isVarint();
    case LogField::SeverityText:
        record.severityText = m_reader.text(field);
        return field.isBytes();
    case LogField::Body:
        record.body = m_reader.value(field.bytes);
        return field.isBytes();
    case LogField::Attributes:
        return field.isBytes(); // read with its context
    case LogField::DroppedAttributes:
        record.droppedAttributes = small;
        return field.isVarint();
    case LogField::Flags:
        record.flags = small;
        return field.type == WireType::Fixed32;
    case LogField::TraceId:
        trace = field.bytes;
        return field.isBytes();
    case LogField::SpanId:
        span = field.bytes;
        return field.isBytes();
    case LogField::EventName:
        record.eventName = m_reader.text(field);
        return field.isBytes();
    }
    m_reader.countUnknown();
    return true;
}

} // namespace

RecordCounts decodeLogs(Bytes message, Batch &batch)
{
    return LogsDecoder(message, batch).run();
}

} // namespace hearth::otlp
