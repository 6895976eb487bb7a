#include "model/views/waterfall.h"

#include "model/views/critical_path.h"
#include "model/views/service_names.h"
#include "model/views/stack_weights.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace hearth {

namespace {

/// Collects the rows of one trace and puts them in order.
class Builder {
public:
    Builder(const Snapshot &snapshot, const SpanTable &table, const SpanOrder &order,
            const LinkWeights &weights)
        : m_table(table), m_order(order), m_weights(weights), m_services(snapshot)
    {}

    bool run(TraceRow trace, const std::stop_token &stop)
    {
        for (std::size_t i = 0; i < m_table.size(); ++i) {
            if ((i & 0xffffU) == 0 && stop.stop_requested())
                return false;
            if (m_table.trace(SpanRow(i)) == trace)
                m_spans.emplace_back(i);
        }
        placeSpans();
        for (std::size_t i = 1; i < m_table.linkCount(); ++i)
            if (m_table.traceOf(LinkId(i)) == trace && m_table.rowOf(LinkId(i)).isNone())
                addLinkAlone(LinkId(i));
        return true;
    }

    Waterfall take()
    {
        addToParents();
        for (WaterfallRow &row : m_result.rows)
            finish(row);
        m_result.critical = criticalPath(m_result.rows);
        for (const CriticalStep &step : m_result.critical)
            m_result.rows[step.row].isCritical = true;
        return std::move(m_result);
    }

private:
    /// The place of a span in m_spans, where they are in ascending order; their number if it is not there.
    std::size_t placeOf(SpanRow span) const
    {
        const auto found = std::ranges::lower_bound(m_spans, span);
        return found != m_spans.end() && *found == span ? static_cast<std::size_t>(found - m_spans.begin())
                                                        : m_spans.size();
    }

    void placeSpans()
    {
        // By parent, and among those by start; what has no parent here comes last.
        const std::size_t count = m_spans.size();
        std::vector<std::size_t> parents(count, count);
        for (std::size_t i = 0; i < count; ++i)
            if (const SpanRow parent = m_order.parents[m_spans[i].value]; !parent.isNone())
                parents[i] = placeOf(parent);
        std::vector<std::size_t> byParent(count);
        std::iota(byParent.begin(), byParent.end(), std::size_t(0));
        std::ranges::sort(byParent, {}, [&](std::size_t i) {
            return std::tuple(parents[i], m_table.startNs(m_spans[i]), i);
        });
        std::vector<std::size_t> begins(count + 2, count);
        for (std::size_t i = count; i-- > 0;)
            begins[parents[byParent[i]]] = i;
        for (std::size_t parent = count + 1; parent-- > 0;)
            if (begins[parent] == count)
                begins[parent] = begins[parent + 1];

        struct Open {
            std::size_t next;
            std::size_t end;
            std::uint32_t row;
        };
        std::vector<Open> open{{begins[count], count, WaterfallRow::kNone}};
        while (!open.empty()) {
            Open &top = open.back();
            if (top.next == top.end) {
                if (top.row != WaterfallRow::kNone)
                    m_result.rows[top.row].end = static_cast<std::uint32_t>(m_result.rows.size());
                open.pop_back();
                continue;
            }
            const std::size_t span = byParent[top.next++];
            const auto depth = static_cast<std::uint32_t>(open.size() - 1);
            const std::uint32_t row = addSpan(m_spans[span], top.row, depth);
            open.push_back({begins[span], begins[span + 1], row}); // `top` is gone
        }
    }

    std::uint32_t addSpan(SpanRow span, std::uint32_t parent, std::uint32_t depth)
    {
        WaterfallRow row;
        row.span = span;
        row.link = m_table.link(span);
        row.service = m_services.of(m_table.context(span));
        row.depth = depth;
        row.parent = parent;
        row.startNs = m_table.startNs(span);
        row.durationNs = m_table.durationNs(span);
        row.isOrphan = m_table.isOrphan(span);
        row.isCyclic = m_order.cyclic > 0 && m_order.isCyclic[span.value] != 0;
        if (m_table.rowOf(row.link) == span)
            addObserved(row);
        if (parent != WaterfallRow::kNone) {
            const WaterfallRow &above = m_result.rows[parent];
            row.isOutside = row.startNs < above.startNs || row.endNs() > above.endNs();
        }
        m_result.failed += (m_table.marks(span) & kSpanFailed) != 0;
        m_result.rows.push_back(row);
        return static_cast<std::uint32_t>(m_result.rows.size() - 1);
    }

    void addLinkAlone(LinkId link)
    {
        if (m_weights.samples[link.value] == 0)
            return;
        WaterfallRow row;
        row.link = link;
        row.end = static_cast<std::uint32_t>(m_result.rows.size() + 1);
        const std::int64_t first = m_weights.firstNs[link.value];
        if (first != LinkWeights::kNever) {
            row.startNs = first;
            if (__builtin_sub_overflow(m_weights.lastNs[link.value], first, &row.durationNs))
                row.durationNs = 0;
        }
        addObserved(row);
        m_result.rows.push_back(row);
    }

    void addObserved(WaterfallRow &row) const
    {
        row.samples = m_weights.samples[row.link.value];
        row.onCpuNs = m_weights.onCpuNs[row.link.value];
        for (std::size_t cause = 0; cause < kWaitCauses; ++cause)
            if (!m_weights.waitNs[cause].empty())
                row.waitNs[cause] = m_weights.waitNs[cause][row.link.value];
    }

    void addToParents()
    {
        std::vector<WaterfallRow> &rows = m_result.rows;
        for (std::size_t i = rows.size(); i-- > 0;) {
            if (rows[i].parent == WaterfallRow::kNone || rows[rows[i].parent].service != rows[i].service)
                continue;
            WaterfallRow &parent = rows[rows[i].parent];
            parent.samples += rows[i].samples;
            addTo(parent.onCpuNs, rows[i].onCpuNs);
            for (std::size_t cause = 0; cause < kWaitCauses; ++cause)
                addTo(parent.waitNs[cause], rows[i].waitNs[cause]);
        }
    }

    void finish(const WaterfallRow &row)
    {
        const bool isFirst = &row == m_result.rows.data();
        m_result.beginNs = isFirst ? row.startNs : std::min(m_result.beginNs, row.startNs);
        m_result.endNs = isFirst ? row.endNs() : std::max(m_result.endNs, row.endNs());
        if (!row.span.isNone() &&
            std::ranges::find(m_result.services, row.service) == m_result.services.end())
            m_result.services.push_back(row.service);
    }

    const SpanTable &m_table;
    const SpanOrder &m_order;
    const LinkWeights &m_weights;
    ServiceNames m_services;
    std::vector<SpanRow> m_spans; ///< of the trace
    Waterfall m_result;
};

} // namespace

std::int64_t WaterfallRow::waitingNs() const
{
    std::int64_t sum = 0;
    for (const std::int64_t ns : waitNs)
        addTo(sum, ns);
    return sum;
}

std::int64_t WaterfallRow::unobservedNs() const
{
    std::int64_t observed = onCpuNs;
    addTo(observed, waitingNs());
    return std::max<std::int64_t>(0, durationNs - std::max<std::int64_t>(0, observed));
}

std::optional<Waterfall> waterfallOf(const Snapshot &snapshot, const SpanTable &table, const SpanOrder &order,
                                     const LinkWeights &weights, TraceRow trace, const std::stop_token &stop)
{
    Builder builder(snapshot, table, order, weights);
    if (!builder.run(trace, stop))
        return std::nullopt;
    return builder.take();
}

} // namespace hearth
