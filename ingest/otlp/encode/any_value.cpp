#include "ingest/otlp/encode/any_value.h"

#include "ingest/bytes/wire_writer.h"
#include "ingest/otlp/attributes.h"

#include <simdjson.h>

#include <bit>

namespace hearth::otlp {

namespace {

namespace json = simdjson::ondemand;

std::string textValue(std::string_view text)
{
    std::string value;
    WireWriter(value).bytes(ValueField::String, text);
    return value;
}

std::string valueOf(json::value value);

std::string listOf(json::array array)
{
    std::string list;
    for (auto element : array)
        WireWriter(list).bytes(1, valueOf(element.value()));
    std::string value;
    WireWriter(value).bytes(ValueField::List, list);
    return value;
}

std::string mapOf(json::object object)
{
    std::string map;
    for (auto member : object) {
        std::string pair;
        WireWriter writer(pair);
        const std::string_view key = member.unescaped_key();
        writer.bytes(KeyValueField::Key, key);
        writer.bytes(KeyValueField::Value, valueOf(member.value()));
        WireWriter(map).bytes(1, pair);
    }
    std::string value;
    WireWriter(value).bytes(ValueField::Map, map);
    return value;
}

/// Numbers with a point or an exponent are not whole, even if they end in ".0".
std::string numberOf(json::value value)
{
    std::string out;
    const std::string_view token = value.raw_json_token();
    if (token.find_first_of(".eE") == std::string_view::npos)
        WireWriter(out).present(ValueField::Int, static_cast<std::uint64_t>(std::int64_t(value.get_int64())));
    else
        WireWriter(out).presentFixed64(ValueField::Double,
                                       std::bit_cast<std::uint64_t>(double(value.get_double())));
    return out;
}

std::string valueOf(json::value value)
{
    std::string out;
    switch (value.type()) {
    case json::json_type::array:
        return listOf(value.get_array());
    case json::json_type::object:
        return mapOf(value.get_object());
    case json::json_type::string:
        return textValue(value.get_string());
    case json::json_type::number:
        return numberOf(value);
    case json::json_type::boolean:
        WireWriter(out).present(ValueField::Bool, bool(value.get_bool()));
        return out;
    case json::json_type::null:
        break;
    }
    return out;
}

bool hasKey(const Snapshot &snapshot, const Attribute &attribute, std::string_view key)
{
    return attribute.type == AttributeType::String && snapshot.text(attribute.key) == key;
}

void writeKeyValue(WireWriter &writer, std::uint32_t number, const Snapshot &snapshot,
                   const Attribute &attribute)
{
    std::string pair;
    WireWriter pairWriter(pair);
    pairWriter.bytes(KeyValueField::Key, snapshot.text(attribute.key));
    pairWriter.bytes(KeyValueField::Value, anyValueOf(snapshot, attribute));
    writer.bytes(number, pair);
}

} // namespace

std::string anyValueOfJson(std::string_view text)
{
    const simdjson::padded_string padded(text);
    json::parser parser;
    try {
        json::document document = parser.iterate(padded);
        if (!document.is_scalar())
            return valueOf(document.get_value());
    } catch (const simdjson::simdjson_error &) {
        return textValue(text);
    }
    return text == "null" ? std::string() : textValue(text);
}

std::string anyValueOf(const Snapshot &snapshot, const Attribute &attribute)
{
    std::string value;
    WireWriter writer(value);
    switch (attribute.type) {
    case AttributeType::String:
        return textValue(snapshot.text(attribute.text()));
    case AttributeType::Json:
        return anyValueOfJson(snapshot.text(attribute.text()));
    case AttributeType::Bytes:
        writer.bytes(ValueField::Blob, snapshot.text(attribute.text()));
        break;
    case AttributeType::Bool:
        writer.present(ValueField::Bool, attribute.bits);
        break;
    case AttributeType::Int:
        writer.present(ValueField::Int, attribute.bits);
        break;
    case AttributeType::Double:
        writer.presentFixed64(ValueField::Double, attribute.bits);
        break;
    }
    return value;
}

std::string keyValuesOf(const Snapshot &snapshot, AttributeSetId set, std::uint32_t number)
{
    std::string fields;
    WireWriter writer(fields);
    for (const AttributeId id : snapshot.attributesOf(set))
        writeKeyValue(writer, number, snapshot, snapshot.attributes[id.value]);
    return fields;
}

Around resourceOf(const Snapshot &snapshot, AttributeSetId set)
{
    Around around;
    WireWriter writer(around.message);
    for (const AttributeId id : snapshot.attributesOf(set)) {
        const Attribute &attribute = snapshot.attributes[id.value];
        if (hasKey(snapshot, attribute, kResourceSchemaKey))
            around.schemaUrl = snapshot.text(attribute.text());
        else
            writeKeyValue(writer, kResourceAttributes, snapshot, attribute);
    }
    return around;
}

Around scopeOf(const Snapshot &snapshot, AttributeSetId set)
{
    Around around;
    WireWriter writer(around.message);
    for (const AttributeId id : snapshot.attributesOf(set)) {
        const Attribute &attribute = snapshot.attributes[id.value];
        if (hasKey(snapshot, attribute, kScopeSchemaKey))
            around.schemaUrl = snapshot.text(attribute.text());
        else if (hasKey(snapshot, attribute, kScopeNameKey))
            writer.bytes(kScopeName, snapshot.text(attribute.text()));
        else if (hasKey(snapshot, attribute, kScopeVersionKey))
            writer.bytes(kScopeVersion, snapshot.text(attribute.text()));
        else
            writeKeyValue(writer, kScopeAttributes, snapshot, attribute);
    }
    return around;
}

} // namespace hearth::otlp
