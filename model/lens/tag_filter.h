#pragma once

#include "model/lens/matcher.h"
#include "model/result.h"
#include "model/store/snapshot.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hearth {

/// The unit of each numeric label: the first that any label of the key came with, else `bytes` for
/// `alignment` and `request`, else the key itself. Later units of a key are ignored, and nothing is converted
/// to the first: that is what pprof does.
class NumericUnits {
public:
    explicit NumericUnits(const Snapshot &snapshot);

    std::string_view of(StringId key) const;

private:
    std::unordered_map<StringId, std::string_view> m_units;
};

/// pprof's `tagfocus` and `tagignore`: a condition on the labels of a sample.
///
///   RE,RE…          each expression matches `key:value` of some text label
///   KEY=RE,RE…      one of the expressions matches a text label with exactly this key
///   RANGE           some numeric label is in the range
///   KEY=RANGE       the numeric label with this key is
///
/// A range is `4kb` (just that), `4kb:` (or more), `:4kb` (or less) or `1kb:4kb`. What looks like a range is
/// never taken for an expression, so `shard=7` does not match the text "7", but `shard=^7$` does. A range
/// counts in the unit it is written in: a label whose unit is of another family is not in it, and neither is
/// one that has a unit in any family when the range has none.
///
/// Hearth's data sets have more than pprof's labels: attributes of resource and scope count like those of the
/// sample, and attributes other than integers and reals are texts, as printed.
class TagFilter {
public:
    static Result<TagFilter> parse(std::string_view option);

    bool isRange() const { return m_range.has_value(); }

private:
    friend std::vector<std::uint8_t> matchContexts(const TagFilter &, const Snapshot &, std::size_t);

    struct Range {
        double from = -std::numeric_limits<double>::infinity();
        double to = std::numeric_limits<double>::infinity();
        std::string unit;
    };
    static Result<std::optional<Range>> parseRange(std::string_view text);
    bool isInRange(const Range &range, const Snapshot &snapshot, const NumericUnits &units,
                   const Attribute &attribute) const;
    bool matchesValue(const Snapshot &snapshot, const Attribute &attribute) const;

    std::string m_key; ///< empty: any
    std::optional<Range> m_range;
    std::vector<Matcher> m_expressions;
};

/// For each context from `contextBegin` on: does the filter match it? To focus or to ignore is the caller's
/// choice.
///
/// Costs by the attributes of these contexts. The unit of a key may become known with a later snapshot; until
/// then the answer for a context is the same in every snapshot.
std::vector<std::uint8_t> matchContexts(const TagFilter &filter, const Snapshot &snapshot,
                                        std::size_t contextBegin = 0);

} // namespace hearth
