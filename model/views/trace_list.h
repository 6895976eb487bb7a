#pragma once

#include "model/views/link_weights.h"
#include "model/views/service_names.h"
#include "model/views/span_table.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace hearth {

/// A trace in a line. What is summed is of all its spans, whether or not a lens shows them.
struct TraceSummary {
    TraceRow trace;
    SpanRow root = SpanRow::none(); ///< the first that has no parent, else the earliest; none if no span came
    StringId service;               ///< of the root
    std::uint32_t spans = 0;
    std::uint32_t failed = 0;
    std::uint64_t samples = 0;
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0; ///< from the first start to the last end; of samples if no span came
    std::int64_t onCpuNs = 0;
    std::int64_t waitingNs = 0;
};

/// The traces that have spans for which `isShown` is not 0, and those without spans that `links` has.
/// @param isShown by span; empty: all
/// @param links by link; empty: all
/// @return nothing if stopped
std::optional<std::vector<TraceSummary>> traceList(const Snapshot &snapshot, const SpanTable &table,
                                                   const LinkWeights &weights,
                                                   std::span<const std::uint8_t> isShown,
                                                   std::span<const std::uint8_t> links,
                                                   const std::stop_token &stop);

enum class TraceKey : std::uint8_t { Start, Duration, Name, Service, Spans, Failed, Samples, OnCpu, Waiting };

/// The rows of a list in an order; what is alike stays as it was.
std::vector<std::uint32_t> arrangedTraces(const Snapshot &snapshot, const SpanTable &table,
                                          std::span<const TraceSummary> traces, TraceKey key,
                                          bool isDescending);

} // namespace hearth
