#pragma once

#include "ingest/unwind/rule.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hearth {

/// Every distinct rule once, numbered as rows refer to them. Programs have few: those of a whole machine fit
/// into the kernel's one array.
class RuleBook {
public:
    RuleBook();

    /// @return its number; the frame pointer's rule if the book is full
    std::uint16_t number(const UnwindRule &rule);

    const UnwindRule &operator[](std::uint16_t number) const { return m_rules[number]; }
    const std::vector<UnwindRule> &rules() const { return m_rules; }

private:
    std::vector<UnwindRule> m_rules;
    std::unordered_map<std::uint64_t, std::uint16_t> m_numberOf;
};

} // namespace hearth
