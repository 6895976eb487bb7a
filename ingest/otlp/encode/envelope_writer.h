#pragma once

#include "model/store/snapshot.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hearth::otlp {

/// Puts encoded records below the resources and scopes that they belong to, each of which is written once, in
/// the order in which they were first asked for.
class EnvelopeWriter {
public:
    explicit EnvelopeWriter(const Snapshot &snapshot) : m_snapshot(snapshot) {}

    /// An attribute that every scope gets.
    void addToScopes(std::string_view key, std::string_view text);

    /// The records (field 2) of the scope of this context, to be added to. Valid until the next call.
    std::string &records(const Context &context);

    /// The resources (field 1) of a data message.
    std::string finish() const;

private:
    struct Scope {
        AttributeSetId attributes;
        std::string records;
    };
    struct Resource {
        AttributeSetId attributes;
        std::vector<std::size_t> scopes;
    };

    const Snapshot &m_snapshot;
    std::string m_scopeAttributes;
    std::vector<Resource> m_resources;
    std::vector<Scope> m_scopes;
    std::map<AttributeSetId, std::size_t> m_resourceOf;
    std::map<std::pair<AttributeSetId, AttributeSetId>, std::size_t> m_scopeOf;
};

/// Field number of the records in their scope.
inline constexpr std::uint32_t kScopeRecord = 2;

} // namespace hearth::otlp
