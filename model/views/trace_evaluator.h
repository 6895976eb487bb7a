#pragma once

#include "model/lens/lens.h"
#include "model/result.h"
#include "model/views/link_weights.h"
#include "model/views/span_groups.h"
#include "model/views/span_order.h"
#include "model/views/trace_list.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace hearth {

/// What is known of the spans of a data set, whatever the lens.
struct SpanStudy {
    std::shared_ptr<const Snapshot> snapshot;
    SpanTable table;
    SpanOrder order;
    std::shared_ptr<const LinkEstimate> estimate; ///< null if links are taken as they are
    LinkWeights weights;
};

/// What a lens shows of traces and spans.
struct TraceEvaluation {
    std::shared_ptr<const SpanStudy> study;
    std::vector<std::uint8_t> isShown; ///< by span
    std::vector<std::uint8_t> links;   ///< by link: whether one of the samples that the lens keeps has it
    bool needsCode = false;            ///< only what has such samples is shown
    std::vector<TraceSummary> traces;
    SpanGroups groups;
};

/// Computes what the lens shows of traces, and remembers what does not depend on it.
///
/// A span is shown if the terms on spans hold for it, if it has the attributes that the lens asks for, and if
/// some of it is in the lens's time. Where the lens asks for code (`focus:`, a name …) it is also one of
/// those that ran it: that is how one comes from a function to its spans.
///
/// For one caller at a time. The results are immutable.
class TraceEvaluator {
public:
    /// @return null if stopped; an error if the lens does not fit the data set
    Result<std::shared_ptr<const TraceEvaluation>> evaluate(const std::shared_ptr<const Snapshot> &snapshot,
                                                            const Lens &lens,
                                                            const std::stop_token &stop = {});

private:
    bool study(const std::shared_ptr<const Snapshot> &snapshot, bool isEstimated,
               const std::stop_token &stop);

    std::shared_ptr<const SpanStudy> m_study;
};

} // namespace hearth
