#include "model/views/stack_weights.h"

#include "model/views/parallel.h"

#include <algorithm>
#include <mutex>

namespace hearth {

namespace {

std::int64_t saturatedAbsolute(std::int64_t value)
{
    return static_cast<std::int64_t>(
        std::min<std::uint64_t>(absolute(value), std::numeric_limits<std::int64_t>::max()));
}

/// Adds chunks up, on one thread.
class Summer {
public:
    Summer(const SampleSelection &selection, std::size_t stacks) : m_reader(selection)
    {
        m_weights.net.resize(stacks);
    }

    void add(const SeriesChunk &chunk)
    {
        m_reader.forEachRun(chunk, [this](const SampleReader &run) { addRun(run.stacks(), run.values()); });
        m_weights.overflowed |= m_reader.overflowed();
    }

    StackWeights take() { return std::move(m_weights); }

private:
    void addRun(std::span<const std::uint32_t> stacks, std::span<const std::int64_t> values)
    {
        const auto [low, high] = std::ranges::minmax(values);
        if (low < 0 && m_weights.absolute.empty())
            m_weights.absolute = m_weights.net;
        const std::uint64_t largest = std::max(absolute(low), absolute(high));
        m_bound += static_cast<double>(largest) * static_cast<double>(values.size());
        if (m_bound < kSafe)
            addUnchecked(stacks, values);
        else
            addChecked(stacks, values);
    }

    void addUnchecked(std::span<const std::uint32_t> stacks, std::span<const std::int64_t> values)
    {
        std::int64_t *const net = m_weights.net.data();
        std::uint64_t samples = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            net[stacks[i]] += values[i];
            samples += values[i] != 0;
        }
        m_weights.samples += samples;
        if (!m_weights.absolute.empty())
            for (std::size_t i = 0; i < values.size(); ++i)
                m_weights.absolute[stacks[i]] += saturatedAbsolute(values[i]);
    }

    void addChecked(std::span<const std::uint32_t> stacks, std::span<const std::int64_t> values)
    {
        const auto add = [this](std::int64_t &to, std::int64_t value) {
            Sum sum{to};
            sum.add(value);
            to = sum.value;
            m_weights.overflowed = m_weights.overflowed || sum.overflowed;
        };
        for (std::size_t i = 0; i < values.size(); ++i) {
            add(m_weights.net[stacks[i]], values[i]);
            m_weights.samples += values[i] != 0;
            if (!m_weights.absolute.empty())
                add(m_weights.absolute[stacks[i]], saturatedAbsolute(values[i]));
        }
    }

    static constexpr double kSafe = 4e18; ///< no sum of values below this can overflow

    SampleReader m_reader;
    StackWeights m_weights;
    double m_bound = 0;
};

void addTo(StackWeights &sum, const StackWeights &more)
{
    if (sum.net.size() < more.net.size())
        sum.net.resize(more.net.size());
    if (!more.absolute.empty() && sum.absolute.empty())
        sum.absolute = sum.net;
    if (!sum.absolute.empty()) {
        sum.absolute.resize(sum.net.size());
        for (std::size_t i = 0; i < more.net.size(); ++i)
            sum.overflowed |= __builtin_add_overflow(sum.absolute[i], more.magnitude(i), &sum.absolute[i]);
    }
    for (std::size_t i = 0; i < more.net.size(); ++i) {
        Sum cell{sum.net[i]};
        cell.add(more.net[i]);
        sum.net[i] = cell.value;
        sum.overflowed |= cell.overflowed;
    }
    sum.samples += more.samples;
    sum.overflowed |= more.overflowed;
}

/// Sums chunks on all cores; nothing if stopped.
std::optional<StackWeights> sumOf(const std::vector<SeriesChunk> &chunks, const SampleSelection &selection,
                                  std::size_t stacks, const std::stop_token &stop)
{
    StackWeights total;
    total.net.resize(stacks);
    std::mutex mutex;
    // A thread pays off when it sums more rows than it has stacks to add up afterwards.
    const std::size_t grain = 2 + stacks / SampleChunk::kRows;
    forEachPart(chunks.size(), grain, [&](std::size_t, std::size_t begin, std::size_t end) {
        Summer summer(selection, stacks);
        for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i)
            summer.add(chunks[i]);
        const std::lock_guard lock(mutex);
        if (total.samples == 0 && !total.overflowed && total.absolute.empty())
            total = summer.take();
        else
            addTo(total, summer.take());
    });
    if (stop.stop_requested())
        return std::nullopt;
    return total;
}

} // namespace

std::uint64_t absolute(std::int64_t value)
{
    return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

std::optional<StackWeights> WeightSum::sum(const Snapshot &snapshot, const std::stop_token &stop)
{
    m_seen.resize(snapshot.tables.size());
    bool isContinuation = true;
    for (std::size_t i = 0; i < snapshot.tables.size(); ++i) {
        const SampleTable &table = snapshot.tables[i];
        const auto &seen = m_seen[i];
        isContinuation = isContinuation && seen.size() <= table.sealed &&
                         std::equal(seen.begin(), seen.end(), table.chunks.begin(),
                                    [](const auto &before, const auto &now) { return before.lock() == now; });
    }
    if (!isContinuation) { // chunks were evicted
        m_sealed = {};
        m_seen.assign(snapshot.tables.size(), {});
    }
    std::vector<SeriesChunk> sealed;
    std::vector<SeriesChunk> open;
    for (std::size_t i = 0; i < snapshot.tables.size(); ++i) {
        const SampleTable &table = snapshot.tables[i];
        const std::vector<SeriesChunk> chunks = chunksOf(table, m_selection.series);
        for (std::size_t chunk = m_seen[i].size(); chunk < chunks.size(); ++chunk)
            (chunk < table.sealed ? sealed : open).push_back(chunks[chunk]);
    }
    const std::size_t stacks = snapshot.stacks.size();
    if (!sealed.empty() || m_sealed.net.size() < stacks) {
        const auto more = sumOf(sealed, m_selection, stacks, stop);
        if (!more)
            return std::nullopt;
        addTo(m_sealed, *more);
        for (std::size_t i = 0; i < snapshot.tables.size(); ++i)
            m_seen[i].assign(snapshot.tables[i].chunks.begin(),
                             snapshot.tables[i].chunks.begin() +
                                 static_cast<std::ptrdiff_t>(snapshot.tables[i].sealed));
    }
    StackWeights result = m_sealed;
    if (!open.empty()) {
        const auto more = sumOf(open, m_selection, stacks, stop);
        if (!more)
            return std::nullopt;
        addTo(result, *more);
    }
    return result;
}

namespace {

/// Which contexts are of samples that a profile is compared with. @return nothing if none is
std::vector<std::uint8_t> baseContexts(const Snapshot &snapshot)
{
    std::vector<std::uint8_t> isBase;
    for (std::size_t i = 0; i < snapshot.contexts.size(); ++i)
        for (const AttributeId id : snapshot.attributesOf(snapshot.contexts[i].sample)) {
            const Attribute &attribute = snapshot.attributes[id.value];
            if (attribute.type == AttributeType::String && snapshot.text(attribute.key) == "pprof::base" &&
                snapshot.text(attribute.text()) == "true") {
                isBase.resize(snapshot.contexts.size());
                isBase[i] = 1;
            }
        }
    return isBase;
}

} // namespace

Sum seriesTotal(const Snapshot &snapshot, const SeriesChoice &series)
{
    const std::vector<std::uint8_t> isBase = baseContexts(snapshot);
    Sum total;
    Sum base;
    std::vector<std::int64_t> values;
    std::vector<std::uint32_t> contexts;
    for (const SampleTable &table : snapshot.tables)
        for (const SeriesChunk &part : chunksOf(table, series)) {
            values.resize(part.chunk->rows());
            part.chunk->values(part.column).read(0, std::span(values));
            if (!isBase.empty()) {
                contexts.resize(values.size());
                part.chunk->contexts().read(0, std::span(contexts));
            }
            for (std::size_t i = 0; i < values.size(); ++i) {
                std::int64_t scaled = 0;
                if (part.countsRows)
                    values[i] = values[i] != 0;
                if (__builtin_mul_overflow(saturatedAbsolute(values[i]), part.factor, &scaled)) {
                    scaled = std::numeric_limits<std::int64_t>::max();
                    total.overflowed = true;
                }
                total.add(scaled);
                if (!isBase.empty() && isBase[contexts[i]] != 0)
                    base.add(scaled);
            }
        }
    return base.value > 0 ? base : total;
}

} // namespace hearth
