#pragma once

#include "model/views/link_weights.h"
#include "model/views/span_table.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace hearth {

/// Spans of one name in one service.
struct SpanGroup {
    StringId service;
    StringId name;
    std::uint32_t begin = 0; ///< of its spans in SpanGroups::spans
    std::uint32_t count = 0;
    std::uint32_t failed = 0;
    std::uint64_t samples = 0;
    std::int64_t onCpuNs = 0; ///< of the spans themselves, not of their children
    std::int64_t waitingNs = 0;
    std::int64_t p50Ns = 0;
    std::int64_t p90Ns = 0;
    std::int64_t p99Ns = 0;
    std::int64_t longestNs = 0;
};

struct SpanGroups {
    std::vector<SpanGroup> groups; ///< the most spans first
    std::vector<SpanRow> spans;    ///< by group

    std::span<const SpanRow> spansOf(const SpanGroup &group) const
    {
        return std::span(spans).subspan(group.begin, group.count);
    }
};

/// @param isShown by span; empty: all
/// @return nothing if stopped
std::optional<SpanGroups> spanGroups(const Snapshot &snapshot, const SpanTable &table,
                                     const LinkWeights &weights, std::span<const std::uint8_t> isShown,
                                     const std::stop_token &stop);

enum class GroupKey : std::uint8_t { Name, Service, Count, Failed, P50, P99, OnCpu };

/// The rows of groups in an order; what is alike stays as it was. There may be as many as spans: some senders
/// put ids into names.
std::vector<std::uint32_t> arrangedGroups(const Snapshot &snapshot, std::span<const SpanGroup> groups,
                                          GroupKey key, bool isDescending);

/// How long spans lasted: bins of equal width on a logarithmic scale.
struct LatencyHistogram {
    double low = 0;   ///< logarithm of where the first bin begins
    double range = 0; ///< of the logarithms; 0 if there are no spans
    std::vector<std::uint32_t> counts;
    std::vector<std::uint32_t> failed;

    /// Where a bin begins, from 0 on; where the one behind the last would.
    std::int64_t beginOf(std::size_t bin) const;

    /// Spans shorter than a nanosecond are in the first.
    std::size_t binOf(std::int64_t durationNs) const;
};
LatencyHistogram latencyHistogram(const SpanTable &table, std::span<const SpanRow> spans, std::size_t bins);

} // namespace hearth
