#include "ingest/otlp/attributes.h"

#include "ingest/otlp/json/json_text.h"

#include <bit>
#include <cmath>

namespace hearth::otlp {

namespace {

constexpr std::size_t kDeepest = 64;

double doubleOf(std::uint64_t bits)
{
    return std::bit_cast<double>(bits);
}

} // namespace

StringId AttributeReader::stringAt(std::uint64_t index)
{
    if (index < m_strings.size())
        return m_strings[index];
    if (index != 0)
        m_batch.losses.add(Loss::UnknownReferences,
                           "string " + std::to_string(index) + " of " + std::to_string(m_strings.size()));
    return {};
}

Attribute AttributeReader::value(Bytes anyValue)
{
    Attribute attribute;
    WireReader reader(anyValue);
    WireField field;
    while (reader.next(field)) {
        const auto number = static_cast<ValueField>(field.number);
        const bool hasPayload = number == ValueField::String || number == ValueField::Blob ||
                                number == ValueField::List || number == ValueField::Map;
        if (hasPayload != field.isBytes()) {
            m_batch.losses.add(field.number > 8 ? Loss::UnknownFields : Loss::MalformedRecords);
            continue;
        }
        switch (number) {
        case ValueField::String:
            attribute.type = AttributeType::String;
            attribute.bits = m_batch.addString(field.text()).value;
            break;
        case ValueField::Blob:
            attribute.type = AttributeType::Bytes;
            attribute.bits = m_batch.addString(field.text()).value;
            break;
        case ValueField::List:
        case ValueField::Map: {
            std::string json;
            appendJsonMembers(json, field.bytes, number == ValueField::Map, 0);
            attribute.type = AttributeType::Json;
            attribute.bits = m_batch.addString(json).value;
            break;
        }
        case ValueField::Bool:
            attribute.type = AttributeType::Bool;
            attribute.bits = field.number64 != 0;
            break;
        case ValueField::Int:
            attribute.type = AttributeType::Int;
            attribute.bits = field.number64;
            break;
        case ValueField::Double:
            attribute.type = AttributeType::Double;
            attribute.bits = field.number64;
            break;
        case ValueField::StringReference:
            if (field.number64 != 0 || attribute.bits == 0) {
                attribute.type = AttributeType::String;
                attribute.bits = stringAt(field.number64).value;
            }
            break;
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    if (!reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords, "an attribute's value is damaged");
    return attribute;
}

Attribute AttributeReader::keyValue(Bytes keyValue)
{
    StringId key;
    Attribute attribute;
    WireReader reader(keyValue);
    WireField field;
    while (reader.next(field)) {
        switch (static_cast<KeyValueField>(field.number)) {
        case KeyValueField::Key:
            if (field.isBytes() && !field.bytes.empty())
                key = m_batch.addString(field.text());
            break;
        case KeyValueField::Value:
            attribute = value(field.bytes);
            break;
        case KeyValueField::KeyReference:
            if (key == StringId())
                key = stringAt(field.number64);
            break;
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    if (!reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords, "an attribute is damaged");
    attribute.key = key;
    return attribute;
}

AttributeSetId AttributeReader::set(Bytes message, std::uint32_t number, std::span<const Attribute> more)
{
    m_attributes.assign(more.begin(), more.end());
    WireReader reader(message);
    WireField field;
    while (reader.next(field))
        if (field.number == number && field.isBytes())
            m_attributes.push_back(keyValue(field.bytes));
    if (!reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords, "a resource or scope is damaged");
    return addSet(m_attributes);
}

Attribute AttributeReader::text(std::string_view key, std::string_view text)
{
    Attribute attribute;
    attribute.key = m_batch.addString(key);
    attribute.bits = m_batch.addString(text).value;
    return attribute;
}

AttributeSetId AttributeReader::addSet(std::span<const Attribute> attributes)
{
    if (attributes.empty())
        return {};
    const AttributeSetId id(m_batch.attributeSets.size());
    m_batch.attributeSets.push_back({static_cast<std::uint32_t>(m_batch.attributeLists.size()),
                                     static_cast<std::uint32_t>(attributes.size())});
    for (const Attribute &attribute : attributes) {
        m_batch.attributeLists.emplace_back(m_batch.attributes.size());
        m_batch.attributes.push_back(attribute);
    }
    return id;
}

void AttributeReader::appendJson(std::string &json, Bytes anyValue, std::size_t depth)
{
    const std::size_t before = json.size();
    WireReader reader(anyValue);
    WireField field;
    while (reader.next(field)) {
        json.resize(before); // of several, the last counts
        switch (static_cast<ValueField>(field.number)) {
        case ValueField::String:
        case ValueField::Blob:
            appendJsonText(json, field.text());
            break;
        case ValueField::Bool:
            json += field.number64 != 0 ? "true" : "false";
            break;
        case ValueField::Int:
            json += std::to_string(static_cast<std::int64_t>(field.number64));
            break;
        case ValueField::Double:
            if (std::isfinite(doubleOf(field.number64)))
                appendJsonNumber(json, doubleOf(field.number64));
            else
                json += "null";
            break;
        case ValueField::List:
        case ValueField::Map:
            appendJsonMembers(json, field.bytes, static_cast<ValueField>(field.number) == ValueField::Map,
                              depth + 1);
            break;
        case ValueField::StringReference:
            appendJsonText(json, m_batch.strings[stringAt(field.number64).value]);
            break;
        }
    }
    if (json.size() == before)
        json += "null";
}

void AttributeReader::appendJsonMembers(std::string &json, Bytes list, bool isMap, std::size_t depth)
{
    if (depth >= kDeepest) {
        m_batch.losses.add(Loss::OversizedFields, "an attribute's value is nested more than 64 deep");
        json += "null";
        return;
    }
    json += isMap ? '{' : '[';
    bool isFirst = true;
    WireReader reader(list);
    WireField field;
    while (reader.next(field)) {
        if (field.number != 1 || !field.isBytes())
            continue;
        if (!std::exchange(isFirst, false))
            json += ',';
        if (!isMap) {
            appendJson(json, field.bytes, depth);
            continue;
        }
        std::string_view key;
        Bytes member;
        WireReader pair(field.bytes);
        WireField part;
        while (pair.next(part)) {
            if (part.number == static_cast<std::uint32_t>(KeyValueField::Key) && part.isBytes())
                key = part.text();
            else if (part.number == static_cast<std::uint32_t>(KeyValueField::KeyReference) && key.empty())
                key = m_batch.strings[stringAt(part.number64).value];
            else if (part.number == static_cast<std::uint32_t>(KeyValueField::Value))
                member = part.bytes;
        }
        appendJsonText(json, key);
        json += ':';
        appendJson(json, member, depth);
    }
    json += isMap ? '}' : ']';
}

} // namespace hearth::otlp
