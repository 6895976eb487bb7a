#include "ingest/unwind/rule_book.h"

#include <bit>

namespace hearth {

RuleBook::RuleBook()
{
    number({.kind = kByFramePointer, .savedFp = kFpUnchanged, .fpOffset = 0, .cfaOffset = 0});
    number({.kind = kOutermost, .savedFp = kFpUnchanged, .fpOffset = 0, .cfaOffset = 0});
}

std::uint16_t RuleBook::number(const UnwindRule &rule)
{
    const auto bits = std::bit_cast<std::uint64_t>(rule);
    if (const auto known = m_numberOf.find(bits); known != m_numberOf.end())
        return known->second;
    if (m_rules.size() == kMostRules)
        return kRuleByFramePointer;
    const auto number = static_cast<std::uint16_t>(m_rules.size());
    m_rules.push_back(rule);
    m_numberOf.emplace(bits, number);
    return number;
}

} // namespace hearth
