#pragma once

#include "ingest/otlp/layout.h"
#include "model/store/batch.h"

#include <span>
#include <string>
#include <vector>

namespace hearth::otlp {

enum class ValueField : std::uint32_t {
    String = 1,
    Bool = 2,
    Int = 3,
    Double = 4,
    List = 5,
    Map = 6,
    Blob = 7,
    StringReference = 8
};
enum class KeyValueField : std::uint32_t { Key = 1, Value = 2, KeyReference = 3 };

/// Makes rows of a batch from OTLP's keys and values.
class AttributeReader {
public:
    explicit AttributeReader(Batch &batch) : m_batch(batch) {}

    /// The string table that keys and values may refer to; valid as long as it is used.
    void setStrings(std::span<const StringId> strings) { m_strings = strings; }

    /// Reads an AnyValue. Lists and maps become JSON.
    Attribute value(Bytes anyValue);

    /// Reads a KeyValue.
    Attribute keyValue(Bytes keyValue);

    /// Reads the fields of this number, each a KeyValue. @return the set of them
    AttributeSetId set(Bytes message, std::uint32_t number, std::span<const Attribute> more = {});

    Attribute text(std::string_view key, std::string_view text);

    AttributeSetId addSet(std::span<const Attribute> attributes);

    StringId stringAt(std::uint64_t index);

private:
    void appendJson(std::string &json, Bytes anyValue, std::size_t depth);
    void appendJsonMembers(std::string &json, Bytes list, bool isMap, std::size_t depth);

    Batch &m_batch;
    std::span<const StringId> m_strings;
    std::vector<Attribute> m_attributes;
};

/// What is known of a resource and a scope beside its attributes becomes attributes with these keys, which
/// are OpenTelemetry's where it has any.
inline constexpr std::string_view kResourceSchemaKey = "otel.resource.schema_url",
                                  kScopeSchemaKey = "otel.scope.schema_url",
                                  kScopeNameKey = "otel.scope.name", kScopeVersionKey = "otel.scope.version";

/// Field numbers of what holds attributes.
inline constexpr std::uint32_t kResourceAttributes = 1;
inline constexpr std::uint32_t kScopeName = 1, kScopeVersion = 2, kScopeAttributes = 3;

} // namespace hearth::otlp
