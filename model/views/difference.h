#pragma once

#include "model/lens/lens.h"
#include "model/views/call_tree.h"
#include "model/views/evaluator.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

/// What a place weighs on both sides of a comparison, and whether the difference says anything.
///
/// Samples are counts of a random process: how often something was observed varies by the square root of
/// that. With c observations of the weight w each, a side weighs S = c·w and varies by c·w²; where weights
/// differ, the sum goes over the nodes below, each S²/c. From that
///
///     z = (|current - base| - w) / √(variance of base + scale² · variance of current)
///
/// w being the mean weight of one observation (a step that a count cannot fall below). The difference is
/// significant if z > 3: among a thousand functions that did not change, three seem to. Eleven samples
/// against none are significant, ten are not; 200 against 140 are, against 150 not. Of shares of a whole, S
/// varies by the factor 1 - share less.
struct Change {
    std::int64_t base = 0;
    std::int64_t current = 0; ///< brought to the scale of the base
    double variance = 0;      ///< of their difference, if it is chance

    static constexpr double kSignificant = 3;

    std::int64_t delta() const;
    double z() const; ///< signed: positive if current is more
    bool isSignificant() const;
    bool isNew() const { return base == 0 && current != 0; }
    bool isGone() const { return base != 0 && current == 0; }
    /// delta() by base; nothing if that is 0.
    std::optional<double> growth() const;

    bool operator==(const Change &) const = default;
};

/// What a lens shows of one side, and how often that was observed (event_series.h).
struct DifferenceSide {
    std::shared_ptr<const Evaluation> weights;
    std::shared_ptr<const Evaluation> events; ///< may be the same
    double eventWeight = 1;                   ///< of one observation in `events`
};

/// How the current side is brought to the scale of the base.
struct Scaling {
    double factor = 1;
    bool isOfShares = false; ///< the factor makes the sides' selected() equal
};

/// Two evaluations matched by names: the nodes of both call trees, with what each weighs on either side.
struct Difference {
    std::shared_ptr<const CallTree>
        tree;                 ///< by how much each node grew; extents are sums of absolute changes
    std::vector<Change> self; ///< by node
    std::vector<Change> total;
    SeriesChoice series;
    std::size_t groupDepth = 0;
    Scaling scaling;
    std::shared_ptr<const Evaluation> base; ///< as recorded
    std::shared_ptr<const Evaluation> current;
    std::string warning;
    bool overflowed = false;

    const Change &whole() const { return total.front(); }
};

/// @return nothing if stopped
std::optional<Difference> differenceOf(const DifferenceSide &base, const DifferenceSide &current,
                                       Granularity granularity, const Scaling &scaling,
                                       const std::stop_token &stop);

/// The same nodes with what they weigh on both sides together, so that what did not change has room too.
/// @return nothing if stopped
std::optional<CallTree> treeOfBothSides(const Difference &difference, const std::stop_token &stop);

/// `value` times `factor`, at the limit if that does not fit.
std::int64_t scaledBy(std::int64_t value, double factor);

} // namespace hearth
