#include "ingest/otlp/encode/envelope_writer.h"

#include "ingest/bytes/wire_writer.h"
#include "ingest/otlp/attributes.h"
#include "ingest/otlp/encode/any_value.h"

namespace hearth::otlp {

namespace {

// Of ResourceX and ScopeX, whatever X is.
constexpr std::uint32_t kDataResource = 1, kAround = 1, kMember = 2, kSchemaUrl = 3;

} // namespace

void EnvelopeWriter::addToScopes(std::string_view key, std::string_view text)
{
    std::string value;
    WireWriter(value).bytes(ValueField::String, text);
    std::string pair;
    WireWriter writer(pair);
    writer.bytes(KeyValueField::Key, key);
    writer.bytes(KeyValueField::Value, value);
    WireWriter(m_scopeAttributes).bytes(kScopeAttributes, pair);
}

std::string &EnvelopeWriter::records(const Context &context)
{
    const auto [scope, isNewScope] =
        m_scopeOf.try_emplace({context.resource, context.scope}, m_scopes.size());
    if (isNewScope) {
        const auto [resource, isNewResource] = m_resourceOf.try_emplace(context.resource, m_resources.size());
        if (isNewResource)
            m_resources.push_back({context.resource, {}});
        m_resources[resource->second].scopes.push_back(m_scopes.size());
        m_scopes.push_back({context.scope, {}});
    }
    return m_scopes[scope->second].records;
}

std::string EnvelopeWriter::finish() const
{
    std::string data;
    for (const Resource &resource : m_resources) {
        std::string message;
        WireWriter writer(message);
        const Around around = resourceOf(m_snapshot, resource.attributes);
        writer.bytes(kAround, around.message);
        for (const std::size_t scope : resource.scopes) {
            std::string inner;
            WireWriter innerWriter(inner);
            const Around innerAround = scopeOf(m_snapshot, m_scopes[scope].attributes);
            innerWriter.bytes(kAround, innerAround.message + m_scopeAttributes);
            inner += m_scopes[scope].records;
            innerWriter.nonEmpty(kSchemaUrl, innerAround.schemaUrl);
            writer.bytes(kMember, inner);
        }
        writer.nonEmpty(kSchemaUrl, around.schemaUrl);
        WireWriter(data).bytes(kDataResource, message);
    }
    return data;
}

} // namespace hearth::otlp
