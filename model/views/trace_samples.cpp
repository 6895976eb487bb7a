#include "model/views/trace_samples.h"

#include "model/views/selected_samples.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace hearth {

namespace {

using Tick = TraceSamples::Tick;

class TickReader {
public:
    TickReader(const Snapshot &snapshot, const Waterfall &waterfall,
               std::shared_ptr<const LinkEstimate> estimate)
        : m_snapshot(snapshot)
    {
        m_selection.estimate = std::move(estimate);
        m_selection.links.resize(snapshot.links.size());
        for (std::uint32_t row = 0; row < waterfall.rows.size(); ++row) {
            const LinkId link = waterfall.rows[row].link;
            if (link == LinkId())
                continue;
            m_selection.links[link.value] = 1;
            m_rows.try_emplace(link.value, row);
        }
        m_result.beginNs = waterfall.beginNs;
        m_result.stepNs = std::max(
            1.0, (static_cast<double>(waterfall.endNs) - static_cast<double>(waterfall.beginNs) + 1) /
                     TraceSamples::kSteps);
        m_reader = std::make_unique<SampleReader>(m_selection);
    }

    bool run(const std::stop_token &stop)
    {
        for (const SampleTable &table : m_snapshot.tables) {
            if (!table.hasTimes || table.series.empty())
                continue;
            const std::optional<TimeColumn> time = timeColumnOf(m_snapshot, table);
            SeriesChoice any;
            any.stored = table.series.front();
            for (const SeriesChunk &chunk : chunksOf(table, time ? time->series : any)) {
                if (stop.stop_requested())
                    return false;
                m_reader->forEachRun(chunk, [&](SampleReader &run) { add(run, time && time->isWaiting); });
            }
        }
        return true;
    }

    TraceSamples take()
    {
        // Those of waiting come last, and go where there is another in the same step.
        std::ranges::sort(m_result.ticks, {},
                          [](const Tick &tick) { return std::tuple(tick.row, tick.step, tick.isWaiting); });
        const auto same = std::ranges::unique(
            m_result.ticks, [](const Tick &a, const Tick &b) { return a.row == b.row && a.step == b.step; });
        m_result.ticks.erase(same.begin(), same.end());
        for (const auto &[key, samples] : m_parts)
            m_result.parts.push_back({key.first, key.second, samples});
        return std::move(m_result);
    }

private:
    void add(SampleReader &run, bool isWaiting)
    {
        const auto links = run.links();
        const auto times = run.times();
        const auto contexts = run.contexts();
        for (std::size_t i = 0; i < links.size(); ++i) {
            if (run.values()[i] == 0)
                continue;
            const std::uint32_t row = m_rows.at(links[i]);
            m_result.ticks.push_back({row, stepOf(times[i]), isWaiting});
            ++m_parts[{row, ContextId(contexts[i])}];
        }
    }

    std::uint16_t stepOf(std::int64_t time) const
    {
        const double step =
            (static_cast<double>(time) - static_cast<double>(m_result.beginNs)) / m_result.stepNs;
        return static_cast<std::uint16_t>(std::clamp(step, 0.0, TraceSamples::kSteps - 1.0));
    }

    const Snapshot &m_snapshot;
    SampleSelection m_selection;
    std::unordered_map<std::uint32_t, std::uint32_t> m_rows; ///< by link
    std::unique_ptr<SampleReader> m_reader;
    std::map<std::pair<std::uint32_t, ContextId>, std::uint64_t> m_parts;
    TraceSamples m_result;
};

} // namespace

std::span<const Tick> TraceSamples::ofRow(std::uint32_t row) const
{
    const auto found = std::ranges::equal_range(ticks, row, {}, &Tick::row);
    return {found.begin(), found.end()};
}

std::span<const TraceSamples::Part> TraceSamples::partsOf(std::uint32_t row) const
{
    const auto found = std::ranges::equal_range(parts, row, {}, &Part::row);
    return {found.begin(), found.end()};
}

std::optional<TraceSamples> traceSamples(const Snapshot &snapshot, const Waterfall &waterfall,
                                         std::shared_ptr<const LinkEstimate> estimate,
                                         const std::stop_token &stop)
{
    TickReader reader(snapshot, waterfall, std::move(estimate));
    if (!reader.run(stop))
        return std::nullopt;
    return reader.take();
}

} // namespace hearth
