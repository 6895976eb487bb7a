#pragma once

#include "model/views/link_weights.h"
#include "model/views/span_order.h"
#include "model/views/span_table.h"

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace hearth {

/// A span of a trace with what is known of its time.
///
/// The time that samples observed is that of the span and of its children in the same service: a request that
/// waits for another service is not running meanwhile, one that calls a function of its own is.
struct WaterfallRow {
    SpanRow span = SpanRow::none(); ///< none if the span has not been received, only samples that ran in it
    LinkId link;
    StringId service;
    std::uint32_t depth = 0;
    std::uint32_t parent = kNone; ///< row; kNone if it has none, or if that has not been received
    std::uint32_t end = 0;        ///< one behind the last row of those below it
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::uint64_t samples = 0;
    std::int64_t onCpuNs = 0;
    std::array<std::int64_t, kWaitCauses> waitNs{};
    bool isOrphan = false;
    bool isCyclic = false;
    bool isOutside = false;  ///< starts before or ends after its parent: it goes on alone, or clocks differ
    bool isCritical = false; ///< some of the trace's duration is due to it

    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::int64_t endNs() const { return startNs + durationNs; }
    std::int64_t waitingNs() const;
    /// What of its duration no sample accounts for.
    std::int64_t unobservedNs() const;
};

/// A part of the critical path: what the trace was waiting for at that time.
struct CriticalStep {
    std::uint32_t row = 0;
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;

    bool operator==(const CriticalStep &) const = default;
};

/// A trace: every span below the one it is part of, in the order of their starts.
struct Waterfall {
    std::vector<WaterfallRow> rows;
    std::vector<CriticalStep> critical; ///< of the longest root; from its start to its end without a gap
    std::vector<StringId> services;     ///< each once, in the order of rows
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    std::uint64_t failed = 0;

    bool isEmpty() const { return rows.empty(); }
};

/// @param order of `table`
/// @return nothing if stopped
std::optional<Waterfall> waterfallOf(const Snapshot &snapshot, const SpanTable &table, const SpanOrder &order,
                                     const LinkWeights &weights, TraceRow trace, const std::stop_token &stop);

} // namespace hearth
