#include "model/views/flame_scope.h"

#include "model/views/linked_spans.h"
#include "model/views/parallel.h"
#include "model/views/shown_stacks.h"
#include "model/views/stack_weights.h"
#include "model/views/time_range.h"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace hearth {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::size_t kMostColumns = 2000;

/// A second, unless that makes a handful of columns or more than can be told apart.
std::int64_t columnFor(const TimeRange &range)
{
    constexpr std::array<std::int64_t, 6> kSeconds{1, 5, 10, 60, 600, 3600};
    constexpr double kFewColumns = 20;
    const double length = static_cast<double>(range.end) - static_cast<double>(range.begin);
    if (length < kFewColumns * static_cast<double>(kSecond))
        return kSecond / 10;
    for (const std::int64_t seconds : kSeconds)
        if (length / static_cast<double>(seconds * kSecond) < static_cast<double>(kMostColumns))
            return seconds * kSecond;
    const double days = length / static_cast<double>(kMostColumns) / (86400.0 * static_cast<double>(kSecond));
    return (static_cast<std::int64_t>(days) + 1) * 86400 * kSecond;
}

class ScopeMaker {
public:
    ScopeMaker(FlameScope &scope, const Snapshot &snapshot, const SampleSelection &selection,
               const std::vector<bool> &isShown)
        : m_scope(scope), m_selection(selection), m_isShown(isShown)
    {
        for (const SampleTable &table : snapshot.tables)
            for (const SeriesChunk &chunk : chunksOf(table, selection.series))
                m_chunks.push_back(chunk);
    }

    bool run(std::size_t mostRows, const std::stop_token &stop)
    {
        if (!findResolution(stop))
            return false;
        if (m_scope.isEmpty())
            return true;
        const auto finest =
            static_cast<std::size_t>(std::max<std::int64_t>(1, m_scope.columnNs / m_resolution));
        m_scope.rows = std::clamp<std::size_t>(mostRows, 1, finest);
        return sum(stop);
    }

private:
    /// The largest power of ten that all times are multiples of: what the source measured in.
    bool findResolution(const std::stop_token &stop)
    {
        m_resolution = kSecond;
        SampleReader reader(m_selection);
        std::optional<TimeRange> all;
        for (const SeriesChunk &chunk : m_chunks) {
            if (stop.stop_requested())
                return false;
            if (!chunk.hasTimes) {
                countUntimed(reader, chunk);
                continue;
            }
            const TimeRange range{chunk.chunk->earliest(), chunk.chunk->latest()};
            all = all ? TimeRange{std::min(all->begin, range.begin), std::max(all->end, range.end)} : range;
            if (m_resolution > 1)
                reader.forEachRun(chunk, [&](SampleReader &run) {
                    for (const std::int64_t time : run.times())
                        while (m_resolution > 1 && time % m_resolution != 0)
                            m_resolution /= 10;
                });
        }
        if (!all)
            return true;
        m_scope.all = *all;
        m_scope.columnNs = columnFor(*all);
        const std::int64_t rest = all->begin % m_scope.columnNs;
        const std::int64_t before = rest < 0 ? rest + m_scope.columnNs : rest;
        const bool isAtTheEnd = all->begin < std::numeric_limits<std::int64_t>::min() + before;
        m_scope.beginNs = isAtTheEnd ? all->begin : all->begin - before;
        m_scope.columns = sinceBegin(all->end) / static_cast<std::uint64_t>(m_scope.columnNs) + 1;
        return true;
    }

    void countUntimed(SampleReader &reader, const SeriesChunk &chunk)
    {
        reader.forEachRun(chunk, [&](SampleReader &run) {
            m_scope.untimed +=
                run.values().size() - static_cast<std::size_t>(std::ranges::count(run.values(), 0));
        });
    }

    bool sum(const std::stop_token &stop)
    {
        m_scope.cells.assign(m_scope.columns * m_scope.rows, 0);
        std::mutex mutex;
        forEachPart(m_chunks.size(), 2, [&](std::size_t, std::size_t begin, std::size_t end) {
            std::vector<std::int64_t> cells(m_scope.cells.size());
            SampleReader reader(m_selection);
            for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i)
                if (m_chunks[i].hasTimes)
                    reader.forEachRun(m_chunks[i], [&](SampleReader &run) { add(run, cells); });
            const std::lock_guard lock(mutex);
            for (std::size_t cell = 0; cell < cells.size(); ++cell)
                addTo(m_scope.cells[cell], cells[cell]);
        });
        m_scope.peak = std::max<std::int64_t>(1, std::ranges::max(m_scope.cells));
        return !stop.stop_requested();
    }

    /// Exact, whatever the times are.
    std::uint64_t sinceBegin(std::int64_t time) const
    {
        return static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(m_scope.beginNs);
    }

    void add(SampleReader &run, std::vector<std::int64_t> &cells) const
    {
        const auto times = run.times();
        const auto values = run.values();
        const auto stacks = run.stacks();
        const double perNs = 1 / m_scope.cellNs();
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] == 0 || (!m_isShown.empty() && !m_isShown[stacks[i]]))
                continue;
            const double place = (static_cast<double>(sinceBegin(times[i])) + 0.5) * perNs;
            addTo(cells[std::min(cells.size() - 1, static_cast<std::size_t>(place))], values[i]);
        }
    }

    FlameScope &m_scope;
    const SampleSelection &m_selection;
    const std::vector<bool> &m_isShown;
    std::vector<SeriesChunk> m_chunks;
    std::int64_t m_resolution = 1;
};

} // namespace

std::int64_t FlameScope::beginOf(std::size_t cell) const
{
    const double since = static_cast<double>(cell / rows) * static_cast<double>(columnNs) +
                         static_cast<double>(cell % rows) * cellNs();
    const auto offset = static_cast<std::uint64_t>(std::min(since, 1.8e19));
    const auto last = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const std::uint64_t room = last - static_cast<std::uint64_t>(beginNs);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(beginNs) + std::min(offset, room));
}

Result<std::shared_ptr<const FlameScope>> flameScopeOf(const std::shared_ptr<const Snapshot> &snapshot,
                                                       Lens lens, std::size_t mostRows,
                                                       const std::stop_token &stop)
{
    lens.time = {};
    const auto selection = selectionOf(*snapshot, lens);
    if (!selection)
        return tl::unexpected(selection.error());
    const auto isShown = shownStacks(snapshot, lens, stop);
    if (!isShown)
        return tl::unexpected(isShown.error());
    auto scope = std::make_shared<FlameScope>();
    scope->series = selection->series;
    if (stop.stop_requested() || !ScopeMaker(*scope, *snapshot, *selection, *isShown).run(mostRows, stop))
        return nullptr;
    return scope;
}

} // namespace hearth
