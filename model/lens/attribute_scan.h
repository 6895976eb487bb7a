#pragma once

#include "model/store/snapshot.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace hearth {

/// What an attribute, a set of them or a context says about a condition. The larger one wins in a union.
enum class Presence : std::uint8_t {
    Absent,  ///< nothing with the key
    Present, ///< something with the key that does not fulfil the condition
    Fulfilled,
};

/// Asks the same question of many contexts. Every attribute is asked once, and every set.
class AttributeScan {
public:
    using Question = std::function<Presence(const Attribute &)>;

    AttributeScan(const Snapshot &snapshot, Question question);

    Presence of(ContextId context);

private:
    static constexpr std::uint8_t kNotAsked = 0xff;

    Presence of(AttributeSetId set);
    Presence of(AttributeId attribute);

    const Snapshot &m_snapshot;
    Question m_question;
    std::vector<std::uint8_t> m_attributes;
    std::vector<std::uint8_t> m_sets;
};

} // namespace hearth
