#pragma once

#include "model/lens/attribute_keys.h"
#include "model/store/snapshot.h"

#include <vector>

namespace hearth {

/// What the service is called that a context belongs to; each context is asked once.
class ServiceNames {
public:
    explicit ServiceNames(const Snapshot &snapshot)
        : m_snapshot(snapshot), m_key(resolveKey(snapshot, "service")),
          m_names(snapshot.contexts.size(), StringId::none())
    {}

    /// The empty string if it has no name.
    StringId of(ContextId context)
    {
        StringId &name = m_names[context.value];
        if (name.isNone()) {
            const Attribute *service = findAttribute(m_snapshot, context, m_key);
            name =
                service != nullptr && service->type == AttributeType::String ? service->text() : StringId();
        }
        return name;
    }

private:
    const Snapshot &m_snapshot;
    ResolvedKey m_key;
    std::vector<StringId> m_names;
};

} // namespace hearth
