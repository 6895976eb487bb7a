#include "ingest/otlp/records.h"

#include <algorithm>

namespace hearth::otlp {

namespace {

// ResourceSpans, ResourceLogs and ResourceMetrics are alike, as are ScopeSpans, ScopeLogs and ScopeMetrics.
constexpr std::uint32_t kAround = 1, kMember = 2, kSchemaUrl = 3;
constexpr std::uint32_t kResourceDropped = 2, kScopeDropped = 4;

/// @return whether there was an id; `id` is zero if it was not valid
bool readId(Bytes bytes, std::span<std::uint8_t> id)
{
    // Systems with shorter trace ids fill them up with leading zeros.
    const bool isShortTrace = bytes.size() == 8 && id.size() == 16;
    if (bytes.size() != id.size() && !isShortTrace)
        return bytes.empty();
    std::ranges::copy(bytes, id.end() - static_cast<std::ptrdiff_t>(bytes.size()));
    return true;
}

} // namespace

RecordReader::Parts RecordReader::readResource(Bytes message)
{
    return readAround(message, kResourceSchemaKey, kResourceAttributes);
}

RecordReader::Parts RecordReader::readScope(Bytes message)
{
    return readAround(message, kScopeSchemaKey, kScopeAttributes);
}

/// Names that OpenTelemetry uses where a scope has to be written as attributes.
void RecordReader::readScopeField(const WireField &field, std::vector<Attribute> &attributes)
{
    if (field.number == kScopeName && !field.bytes.empty())
        attributes.push_back(m_attributes.text(kScopeNameKey, field.text()));
    else if (field.number == kScopeVersion && !field.bytes.empty())
        attributes.push_back(m_attributes.text(kScopeVersionKey, field.text()));
}

/// What is around records may stand behind them, and in several parts.
RecordReader::Parts RecordReader::readAround(Bytes message, std::string_view schemaKey,
                                             std::uint32_t attributeField)
{
    const bool isScope = attributeField == kScopeAttributes;
    Parts parts;
    std::vector<Attribute> attributes;
    const auto readOwner = [&](Bytes owner) {
        WireReader reader(owner);
        WireField field;
        while (reader.next(field)) {
            if (field.number == attributeField && field.isBytes())
                attributes.push_back(m_attributes.keyValue(field.bytes));
            else if (field.number == (isScope ? kScopeDropped : kResourceDropped) && field.isVarint())
                countDropped(field.number64);
            else if (isScope)
                readScopeField(field, attributes);
        }
        return reader.isOk();
    };
    bool isWhole = true;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        if (field.number == kAround && field.isBytes())
            isWhole &= readOwner(field.bytes);
        else if (field.number == kMember && field.isBytes())
            parts.members.push_back(field.bytes);
        else if (field.number == kSchemaUrl && !field.bytes.empty())
            attributes.push_back(m_attributes.text(schemaKey, field.text()));
        else if (field.number > kSchemaUrl)
            countUnknown();
    }
    if (!isWhole || !reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords,
                           (isScope ? "a scope is damaged, " : "a resource is damaged, ") + place(message));
    parts.attributes = m_attributes.addSet(attributes);
    return parts;
}

ContextId RecordReader::context(Bytes record, std::uint32_t attributeField)
{
    const AttributeSetId own = m_attributes.set(record, attributeField);
    const bool isPlain = own == AttributeSetId();
    if (isPlain && !m_plainContext.isNone())
        return m_plainContext;
    const ContextId id(m_batch.contexts.size());
    m_batch.contexts.push_back({.resource = m_resource, .scope = m_scope, .sample = own});
    if (isPlain)
        m_plainContext = id;
    return id;
}

LinkId RecordReader::link(Bytes trace, Bytes span)
{
    Link link;
    if (!readId(trace, link.trace) || !readId(span, link.span))
        m_batch.losses.add(Loss::MalformedRecords, "an id of " + std::to_string(trace.size()) + " and " +
                                                       std::to_string(span.size()) + " bytes in a " +
                                                       std::string(m_kind));
    if (link == Link())
        return {};
    m_batch.links.push_back(link);
    return LinkId(m_batch.links.size() - 1);
}

void RecordReader::reject(Bytes record, std::string_view why)
{
    ++m_counts.rejected;
    m_batch.losses.add(Loss::MalformedRecords,
                       "a " + std::string(m_kind) + " left out: " + std::string(why) + ", " + place(record));
}

std::string RecordReader::place(Bytes record) const
{
    return "at byte " + std::to_string(record.data() - m_message.data());
}

} // namespace hearth::otlp
