#include "model/views/trace_list.h"

#include "model/views/row_sort.h"
#include "model/views/stack_weights.h"
#include "model/views/string_ranks.h"

#include <algorithm>
#include <numeric>

namespace hearth {

namespace {

/// What is collected of a trace while its spans and links go by.
struct Collected {
    TraceSummary summary;
    std::int64_t endNs = 0;
    bool isShown = false;
    bool hasRealRoot = false;
    bool hasTime = false;
};

class Collector {
public:
    Collector(const SpanTable &table, const LinkWeights &weights)
        : m_table(table), m_weights(weights), m_traces(table.traceCount())
    {}

    void addSpan(SpanRow row, bool isShown)
    {
        const TraceRow trace = m_table.trace(row);
        if (trace.isNone())
            return;
        Collected &of = m_traces[trace.value];
        TraceSummary &summary = of.summary;
        const bool isRoot = m_table.parentLink(row) == LinkId();
        const bool isFirst = summary.spans++ == 0;
        if (isFirst || (isRoot && !of.hasRealRoot) ||
            (isRoot == of.hasRealRoot && m_table.startNs(row) < m_table.startNs(summary.root)))
            summary.root = row;
        of.hasRealRoot |= isRoot;
        of.isShown |= isShown;
        summary.failed += (m_table.marks(row) & kSpanFailed) != 0;
        summary.startNs = isFirst ? m_table.startNs(row) : std::min(summary.startNs, m_table.startNs(row));
        of.endNs = isFirst ? m_table.endNs(row) : std::max(of.endNs, m_table.endNs(row));
    }

    void addLink(LinkId link, bool isIn)
    {
        const TraceRow trace = m_table.traceOf(link);
        if (trace.isNone() || m_weights.samples[link.value] == 0)
            return;
        Collected &of = m_traces[trace.value];
        of.summary.samples += m_weights.samples[link.value];
        addTo(of.summary.onCpuNs, m_weights.onCpuNs[link.value]);
        addTo(of.summary.waitingNs, m_weights.waitingNs(link));
        if (of.summary.spans > 0)
            return;
        of.isShown |= isIn;
        if (m_weights.firstNs[link.value] == LinkWeights::kNever)
            return;
        const std::int64_t first = m_weights.firstNs[link.value];
        const std::int64_t last = m_weights.lastNs[link.value];
        of.summary.startNs = of.hasTime ? std::min(of.summary.startNs, first) : first;
        of.endNs = of.hasTime ? std::max(of.endNs, last) : last;
        of.hasTime = true;
    }

    std::vector<TraceSummary> take(const Snapshot &snapshot)
    {
        ServiceNames services(snapshot);
        std::vector<TraceSummary> shown;
        for (std::size_t i = 0; i < m_traces.size(); ++i) {
            Collected &of = m_traces[i];
            if (!of.isShown)
                continue;
            of.summary.trace = TraceRow(i);
            if (__builtin_sub_overflow(of.endNs, of.summary.startNs, &of.summary.durationNs))
                of.summary.durationNs = std::numeric_limits<std::int64_t>::max();
            if (!of.summary.root.isNone())
                of.summary.service = services.of(m_table.context(of.summary.root));
            shown.push_back(of.summary);
        }
        return shown;
    }

private:
    const SpanTable &m_table;
    const LinkWeights &m_weights;
    std::vector<Collected> m_traces;
};

} // namespace

std::optional<std::vector<TraceSummary>> traceList(const Snapshot &snapshot, const SpanTable &table,
                                                   const LinkWeights &weights,
                                                   std::span<const std::uint8_t> isShown,
                                                   std::span<const std::uint8_t> links,
                                                   const std::stop_token &stop)
{
    Collector collector(table, weights);
    for (std::size_t i = 0; i < table.size(); ++i) {
        if ((i & 0xffffU) == 0 && stop.stop_requested())
            return std::nullopt;
        collector.addSpan(SpanRow(i), isShown.empty() || isShown[i] != 0);
    }
    for (std::size_t i = 1; i < table.linkCount(); ++i)
        collector.addLink(LinkId(i), links.empty() || links[i] != 0);
    return collector.take(snapshot);
}

std::vector<std::uint32_t> arrangedTraces(const Snapshot &snapshot, const SpanTable &table,
                                          std::span<const TraceSummary> traces, TraceKey key,
                                          bool isDescending)
{
    std::vector<std::uint32_t> rows(traces.size());
    std::iota(rows.begin(), rows.end(), 0U);
    const auto by = [&](auto numberOf) {
        return rowsByNumber(rows, isDescending, [&](std::uint32_t row) {
            return static_cast<std::int64_t>(numberOf(traces[row]));
        });
    };
    const auto byText = [&](auto textOf) {
        std::vector<StringId> used(traces.size());
        std::ranges::transform(traces, used.begin(), textOf);
        const std::vector<std::uint32_t> ranks = stringRanks(snapshot, std::move(used));
        return by([&](const TraceSummary &trace) { return ranks[textOf(trace).value]; });
    };
    switch (key) {
    case TraceKey::Start:
        return by([](const TraceSummary &trace) { return trace.startNs; });
    case TraceKey::Duration:
        return by([](const TraceSummary &trace) { return trace.durationNs; });
    case TraceKey::Name:
        return byText([&](const TraceSummary &trace) {
            return trace.root.isNone() ? StringId() : table.name(trace.root);
        });
    case TraceKey::Service:
        return byText([](const TraceSummary &trace) { return trace.service; });
    case TraceKey::Spans:
        return by([](const TraceSummary &trace) { return trace.spans; });
    case TraceKey::Failed:
        return by([](const TraceSummary &trace) { return trace.failed; });
    case TraceKey::Samples:
        return by([](const TraceSummary &trace) { return trace.samples; });
    case TraceKey::OnCpu:
        return by([](const TraceSummary &trace) { return trace.onCpuNs; });
    case TraceKey::Waiting:
        return by([](const TraceSummary &trace) { return trace.waitingNs; });
    }
    return rows;
}

} // namespace hearth
