#pragma once

#include "model/lens/lens.h"
#include "model/result.h"
#include "model/store/snapshot.h"
#include "model/views/difference.h"
#include "model/views/evaluator.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>

namespace hearth {

/// By what the current side is brought to the scale of the baseline: nothing; its sum of the samples that are
/// looked at, before stacks are filtered; the time that was recorded; the number of requests.
enum class Normalisation : std::uint8_t { None, Total, Duration, Requests };

std::string_view nameOf(Normalisation normalisation);

/// A data set and what is looked at of it.
struct ComparedView {
    std::shared_ptr<const Snapshot> snapshot;
    Lens lens;
};

/// How long was recorded of what a lens selects, in nanoseconds: the range that it names, else what the
/// profile says, else from the first sample to the last. 0: not known.
std::int64_t recordedDuration(const ComparedView &view);

/// How many requests it selects: the spans that its terms on spans match, else those that have no parent.
Result<std::uint64_t> requestCount(const ComparedView &view);

/// Compares two views of the same or of different data sets. Series, granularity, grouping and direction are
/// those of the current one. Remembers as Evaluator does; for one caller at a time.
class DifferenceEvaluator {
public:
    /// @return null if stopped; an error if a lens does not fit its data set, or the two cannot be compared
    Result<std::shared_ptr<const Difference>> evaluate(const ComparedView &base, const ComparedView &current,
                                                       Normalisation normalisation,
                                                       const std::stop_token &stop = {});

private:
    Evaluator m_base;
    Evaluator m_current;
};

} // namespace hearth
