#pragma once

#include "ingest/otlp/attributes.h"
#include "ingest/otlp/envelope.h"
#include "model/store/batch.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hearth::otlp {

/// How many records of a message were taken and how many could not be.
struct RecordCounts {
    std::uint64_t accepted = 0;
    std::uint64_t rejected = 0;
};

/// Adds the records of a message to the batch. What cannot be decoded is left out and counted among the
/// batch's losses.
RecordCounts decodeTraces(Bytes message, Batch &batch);
RecordCounts decodeLogs(Bytes message, Batch &batch);
RecordCounts decodeMetrics(Bytes message, Batch &batch); ///< counts data points

/// What traces, logs and metrics have in common: records of scopes of resources, which have attributes and
/// refer to spans.
class RecordReader {
public:
    /// @param kind "span", "log record", "metric": what messages call a record
    RecordReader(Bytes message, std::string_view kind, Batch &batch)
        : m_message(message), m_kind(kind), m_batch(batch), m_attributes(batch)
    {}

    /// Calls `take` with each record of the message.
    template <class Take>
    void forEachRecord(Take take);

    /// The circumstances of a record that has these fields as its attributes.
    ContextId context(Bytes record, std::uint32_t attributeField);
    AttributeSetId attributes(Bytes message, std::uint32_t attributeField)
    {
        return m_attributes.set(message, attributeField);
    }
    Attribute value(Bytes anyValue) { return m_attributes.value(anyValue); }

    /// @return row 0 if neither id is valid
    LinkId link(Bytes trace, Bytes span);

    StringId text(const WireField &field)
    {
        return field.bytes.empty() ? StringId() : m_batch.addString(field.text());
    }

    void accept() { ++m_counts.accepted; }
    void reject(Bytes record, std::string_view why);
    void countDropped(std::uint64_t count) { m_batch.losses.add(Loss::DroppedBySender, count); }
    void countUnknown() { m_batch.losses.add(Loss::UnknownFields); }
    const RecordCounts &counts() const { return m_counts; }

private:
    /// What stands around records: a resource or a scope with its schema, and what it holds.
    struct Parts {
        AttributeSetId attributes;
        std::vector<Bytes> members;
    };
    Parts readResource(Bytes message);
    Parts readScope(Bytes message);
    void readScopeField(const WireField &field, std::vector<Attribute> &attributes);
    Parts readAround(Bytes message, std::string_view schemaKey, std::uint32_t attributeField);
    std::string place(Bytes record) const;

    Bytes m_message;
    std::string_view m_kind;
    Batch &m_batch;
    AttributeReader m_attributes;
    RecordCounts m_counts;
    AttributeSetId m_resource;
    AttributeSetId m_scope;
    ContextId m_plainContext; ///< of records of this scope without attributes
};

template <class Take>
void RecordReader::forEachRecord(Take take)
{
    const Envelope envelope(m_message);
    if (envelope.readable < m_message.size())
        m_batch.losses.add(Loss::DamagedInput, "no valid field at byte " + std::to_string(envelope.readable));
    for (const Bytes resourceRecords : envelope.resources) {
        const Parts resource = readResource(resourceRecords);
        m_resource = resource.attributes;
        for (const Bytes scopeRecords : resource.members) {
            const Parts scope = readScope(scopeRecords);
            m_scope = scope.attributes;
            m_plainContext = ContextId::none();
            for (const Bytes record : scope.members)
                take(record);
        }
    }
}

} // namespace hearth::otlp
