#pragma once

#include "ingest/bytes/wire_writer.h"
#include "model/store/snapshot.h"

#include <array>
#include <string>
#include <string_view>

namespace hearth::otlp {

/// The value of an attribute as an AnyValue message.
std::string anyValueOf(const Snapshot &snapshot, const Attribute &attribute);

/// JSON, which is how Hearth keeps lists and maps, as an AnyValue message. What is no JSON becomes a text.
std::string anyValueOfJson(std::string_view json);

/// The set as KeyValue fields of this number.
std::string keyValuesOf(const Snapshot &snapshot, AttributeSetId set, std::uint32_t number);

template <std::size_t size>
std::string_view idText(const std::array<std::uint8_t, size> &id)
{
    return {reinterpret_cast<const char *>(id.data()), id.size()};
}

/// Ids that are zero mean that there is none.
template <class Field>
void writeLink(WireWriter &writer, Field trace, Field span, const Link &link)
{
    if (link.trace != decltype(link.trace){})
        writer.bytes(trace, idText(link.trace));
    if (link.span != decltype(link.span){})
        writer.bytes(span, idText(link.span));
}

/// Resource or scope of records, as a message, and the schema of what is in it.
struct Around {
    std::string message;
    std::string_view schemaUrl;
};
Around resourceOf(const Snapshot &snapshot, AttributeSetId set);
/// A scope's name and version are attributes in Hearth, and fields here.
Around scopeOf(const Snapshot &snapshot, AttributeSetId set);

} // namespace hearth::otlp
