#include "model/lens/attribute_scan.h"

#include <utility>

namespace hearth {

AttributeScan::AttributeScan(const Snapshot &snapshot, Question question)
    : m_snapshot(snapshot), m_question(std::move(question)),
      m_attributes(snapshot.attributes.size(), kNotAsked), m_sets(snapshot.attributeSets.size(), kNotAsked)
{}

Presence AttributeScan::of(ContextId context)
{
    const Context &sets = m_snapshot.contexts[context.value];
    return std::max({of(sets.resource), of(sets.scope), of(sets.sample)});
}

Presence AttributeScan::of(AttributeSetId set)
{
    std::uint8_t &known = m_sets[set.value];
    if (known == kNotAsked) {
        Presence presence = Presence::Absent;
        for (const AttributeId attribute : m_snapshot.attributesOf(set))
            presence = std::max(presence, of(attribute));
        known = static_cast<std::uint8_t>(presence);
    }
    return static_cast<Presence>(known);
}

Presence AttributeScan::of(AttributeId attribute)
{
    std::uint8_t &known = m_attributes[attribute.value];
    if (known == kNotAsked)
        known = static_cast<std::uint8_t>(m_question(m_snapshot.attributes[attribute.value]));
    return static_cast<Presence>(known);
}

} // namespace hearth
