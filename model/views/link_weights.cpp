#include "model/views/link_weights.h"

#include "model/views/parallel.h"
#include "model/views/selected_samples.h"
#include "model/views/stack_weights.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

namespace hearth {

namespace {

/// 0 if it is no unit of time.
std::int64_t nsPer(std::string_view unit)
{
    if (unit == "nanoseconds")
        return 1;
    if (unit == "microseconds")
        return 1000;
    if (unit == "milliseconds")
        return 1'000'000;
    return unit == "seconds" ? 1'000'000'000 : 0;
}

enum class TimeKind : std::uint8_t { None, OnCpu, Waiting };

TimeKind kindOf(std::string_view type)
{
    if (type == "cpu" || type == "on_cpu" || type == "on-cpu" || type == "oncpu")
        return TimeKind::OnCpu;
    const bool isWaiting = type == "off_cpu" || type == "off-cpu" || type == "offcpu";
    return isWaiting ? TimeKind::Waiting : TimeKind::None;
}

/// Chunks with the column of their time, or any if they have none.
struct LinkedChunk {
    SeriesChunk chunk;
    std::optional<TimeColumn> time;
};

std::vector<LinkedChunk> linkedChunks(const Snapshot &snapshot, bool isEstimated)
{
    std::vector<LinkedChunk> chunks;
    for (const SampleTable &table : snapshot.tables) {
        if (table.series.empty())
            continue;
        std::optional<TimeColumn> time = timeColumnOf(snapshot, table);
        SeriesChoice series;
        series.stored = table.series.front();
        for (const SeriesChunk &chunk : chunksOf(table, time ? time->series : series)) {
            const PackedColumn &links = chunk.chunk->links();
            const bool hasLinks = !links.isConstant() || links.minimum() != 0;
            if (hasLinks || (isEstimated && table.hasTimes))
                chunks.push_back({chunk, time});
        }
    }
    return chunks;
}

/// Adds chunks up, on one thread.
class LinkSum {
public:
    LinkSum(std::size_t links, std::shared_ptr<const LinkEstimate> estimate,
            const std::vector<WaitCause> &causes)
        : m_causes(causes)
    {
        m_everything.estimate = std::move(estimate);
        m_reader = std::make_unique<SampleReader>(m_everything);
        m_weights.samples.resize(links);
        m_weights.onCpuNs.resize(links);
        m_weights.firstNs.resize(links, LinkWeights::kNever);
        m_weights.lastNs.resize(links, LinkWeights::kNever);
    }

    void add(const LinkedChunk &linked)
    {
        m_reader->forEachRun(linked.chunk, [&](SampleReader &run) {
            const auto links = run.links();
            for (const std::uint32_t link : links)
                ++m_weights.samples[link];
            if (linked.chunk.hasTimes)
                addTimes(links, run.times());
            if (linked.time && linked.time->isWaiting)
                addWaiting(links, run, linked.time->nsPerUnit);
            else if (linked.time)
                addOnCpu(links, run.values(), linked.time->nsPerUnit);
        });
    }

    LinkWeights take() { return std::move(m_weights); }

private:
    void addTimes(std::span<const std::uint32_t> links, std::span<const std::int64_t> times)
    {
        for (std::size_t i = 0; i < links.size(); ++i) {
            std::int64_t &first = m_weights.firstNs[links[i]];
            std::int64_t &last = m_weights.lastNs[links[i]];
            first = std::min(first, times[i]);
            last = last == LinkWeights::kNever ? times[i] : std::max(last, times[i]);
        }
    }

    void addOnCpu(std::span<const std::uint32_t> links, std::span<const std::int64_t> values,
                  std::int64_t nsPerUnit)
    {
        for (std::size_t i = 0; i < links.size(); ++i)
            addScaled(m_weights.onCpuNs[links[i]], values[i], nsPerUnit);
    }

    void addWaiting(std::span<const std::uint32_t> links, const SampleReader &run, std::int64_t nsPerUnit)
    {
        for (std::vector<std::int64_t> &wait : m_weights.waitNs)
            wait.resize(m_weights.samples.size());
        for (std::size_t i = 0; i < links.size(); ++i) {
            const auto cause = static_cast<std::size_t>(m_causes[run.stacks()[i]]);
            addScaled(m_weights.waitNs[cause][links[i]], run.values()[i], nsPerUnit);
        }
    }

    static void addScaled(std::int64_t &sum, std::int64_t value, std::int64_t factor)
    {
        std::int64_t scaled = 0;
        if (__builtin_mul_overflow(value, factor, &scaled))
            scaled = std::numeric_limits<std::int64_t>::max();
        addTo(sum, scaled);
    }

    const std::vector<WaitCause> &m_causes;
    SampleSelection m_everything;
    LinkWeights m_weights;
    std::unique_ptr<SampleReader> m_reader;
};

void addWeights(LinkWeights &sum, const LinkWeights &more)
{
    const auto addAll = [](std::vector<std::int64_t> &to, const std::vector<std::int64_t> &from) {
        to.resize(std::max(to.size(), from.size()));
        for (std::size_t i = 0; i < from.size(); ++i)
            addTo(to[i], from[i]);
    };
    for (std::size_t i = 0; i < more.samples.size(); ++i)
        sum.samples[i] += more.samples[i];
    addAll(sum.onCpuNs, more.onCpuNs);
    for (std::size_t cause = 0; cause < kWaitCauses; ++cause)
        addAll(sum.waitNs[cause], more.waitNs[cause]);
    for (std::size_t i = 0; i < more.firstNs.size(); ++i) {
        sum.firstNs[i] = std::min(sum.firstNs[i], more.firstNs[i]);
        if (more.lastNs[i] != LinkWeights::kNever)
            sum.lastNs[i] = sum.lastNs[i] == LinkWeights::kNever ? more.lastNs[i]
                                                                 : std::max(sum.lastNs[i], more.lastNs[i]);
    }
}

} // namespace

std::optional<TimeColumn> timeColumnOf(const Snapshot &snapshot, const SampleTable &table)
{
    for (const SeriesId id : table.series) {
        const Series &series = snapshot.series[id.value];
        const TimeKind kind = kindOf(snapshot.text(series.type));
        if (const std::int64_t ns = nsPer(snapshot.text(series.unit)); ns > 0 && kind != TimeKind::None)
            return TimeColumn{{id, false, {}, {}}, ns, kind == TimeKind::Waiting};
    }
    const TimeKind kind = kindOf(snapshot.text(table.periodType));
    const std::int64_t ns = nsPer(snapshot.text(table.periodUnit));
    if (kind == TimeKind::None || ns == 0 || table.period <= 0)
        return std::nullopt;
    for (const SeriesId id : table.series)
        if (snapshot.text(snapshot.series[id.value].unit) == "count")
            return TimeColumn{{id, true, {}, {}}, ns, kind == TimeKind::Waiting};
    return std::nullopt;
}

std::int64_t LinkWeights::waitingNs(LinkId link) const
{
    std::int64_t sum = 0;
    for (const std::vector<std::int64_t> &wait : waitNs)
        if (!wait.empty())
            addTo(sum, wait[link.value]);
    return sum;
}

std::optional<LinkWeights> LinkWeights::of(const Snapshot &snapshot,
                                           std::shared_ptr<const LinkEstimate> estimate,
                                           const std::stop_token &stop)
{
    const std::vector<LinkedChunk> chunks = linkedChunks(snapshot, estimate != nullptr);
    const bool hasWaiting = std::ranges::any_of(
        chunks, [](const LinkedChunk &linked) { return linked.time && linked.time->isWaiting; });
    const std::vector<WaitCause> causes = hasWaiting ? waitCauses(snapshot) : std::vector<WaitCause>();
    std::optional<LinkWeights> total;
    std::mutex mutex;
    const std::size_t links = snapshot.links.size();
    // A thread pays off when it reads more samples than there are links to add up afterwards.
    const std::size_t grain = 2 + links / SampleChunk::kRows;
    forEachPart(chunks.size(), grain, [&](std::size_t, std::size_t begin, std::size_t end) {
        LinkSum sum(links, estimate, causes);
        for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i)
            sum.add(chunks[i]);
        const std::lock_guard lock(mutex);
        if (total)
            addWeights(*total, sum.take());
        else
            total = sum.take();
    });
    if (stop.stop_requested())
        return std::nullopt;
    total->samples[LinkId().value] = 0;
    total->onCpuNs[LinkId().value] = 0;
    return total;
}

} // namespace hearth
