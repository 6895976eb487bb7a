#pragma once

#include "model/lens/lens.h"
#include "model/lens/matcher.h"
#include "model/result.h"
#include "model/store/snapshot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// One end of a range: `4kb`, `-7`, `0.5s`.
struct Quantity {
    double value = 0;
    std::string unit;

    bool operator==(const Quantity &) const = default;
};

/// `A..B`, both included; an end that is missing is open, but not both.
struct QuantityRange {
    std::optional<Quantity> from;
    std::optional<Quantity> to;

    /// Empty if `text` is no range.
    static std::optional<QuantityRange> parse(std::string_view text);

    /// A bound without a unit counts in whatever unit the value has, and so does a bound whose unit is of
    /// another family than the value's.
    bool contains(double value, std::string_view unit) const;
};

/// An AttributeTerm ready to be evaluated: `@KEY=VALUE`, `@KEY~RE`, `@KEY=A..B`.
///
/// VALUE and RE see the attribute as printAttribute() prints it. A range sees numbers, and texts that are a
/// decimal number as a whole. Where a key has several values, one that fits is enough.
class AttributeFilter {
public:
    static Result<AttributeFilter> compile(const AttributeTerm &term);

private:
    friend std::vector<std::uint8_t> matchContexts(const AttributeFilter &, const Snapshot &, std::size_t);

    bool fits(const Snapshot &snapshot, const Attribute &attribute) const;

    AttributeTerm m_term;
    Matcher m_matcher;
    QuantityRange m_range;
};

/// For each context from `contextBegin` on: does it fit the term as written, its negation included?
std::vector<std::uint8_t> matchContexts(const AttributeFilter &filter, const Snapshot &snapshot,
                                        std::size_t contextBegin = 0);

} // namespace hearth
