#pragma once

#include "ingest/otlp/generation.h"
#include "ingest/otlp/signal.h"

#include <cstdint>
#include <span>
#include <string_view>

// OTLP's messages in JSON have the fields of its Protocol Buffers under their names. With these tables one is
// turned into the other; what the fields mean is known to the decoders only.

namespace hearth::otlp {

enum class FieldKind : std::uint8_t {
    Message,
    String,
    Bytes, ///< base64
    Id,    ///< hexadecimal digits
    Int32, ///< and uint32; a number
    Int64, ///< a number in quotes, as are all 64-bit ones
    Uint64,
    Sint32,
    Fixed64,
    Sfixed64,
    Fixed32,
    Bool,
    Double,
    Enum ///< a number; on reading, also a name
};

struct Schema;

struct SchemaField {
    std::string_view name; ///< in camel case
    std::uint32_t number = 0;
    FieldKind kind = FieldKind::Message;
    bool isRepeated = false;
    const Schema *message = nullptr;
    std::span<const std::string_view> names; ///< of an enumeration's values, from 0 on, without their prefix
};

struct Schema {
    std::string_view name; ///< of the message, without its package
    std::span<const SchemaField> fields;
};

/// Of data and requests, which are alike. @param generation of profiles
const Schema &schemaOf(Signal signal, Generation generation);

namespace schema {

// What profiles have in common with the other signals.
extern const Schema kResource;
extern const Schema kScope;
extern const Schema kKeyValue;
extern const Schema kAnyValue;

constexpr SchemaField scalar(std::string_view name, std::uint32_t number, FieldKind kind)
{
    return {.name = name, .number = number, .kind = kind, .message = nullptr, .names = {}};
}
constexpr SchemaField message(std::string_view name, std::uint32_t number, const Schema &schema)
{
    return {.name = name, .number = number, .message = &schema, .names = {}};
}
constexpr SchemaField many(SchemaField field)
{
    field.isRepeated = true;
    return field;
}
constexpr SchemaField enumeration(std::string_view name, std::uint32_t number,
                                  std::span<const std::string_view> names)
{
    return {.name = name, .number = number, .kind = FieldKind::Enum, .message = nullptr, .names = names};
}

const Schema &profilesOf(Generation generation);

} // namespace schema

} // namespace hearth::otlp
