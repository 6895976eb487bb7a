#include "model/views/selected_samples.h"

namespace hearth {

std::vector<SeriesChunk> chunksOf(const SampleTable &table, const SeriesChoice &series)
{
    std::vector<SeriesChunk> chunks;
    const auto column = std::ranges::find(table.series, series.stored);
    if (column == table.series.end())
        return chunks;
    for (const auto &chunk : table.chunks)
        chunks.push_back({chunk.get(), static_cast<std::size_t>(column - table.series.begin()),
                          series.timesPeriod ? table.period : 1, table.hasTimes, series.countsRows});
    return chunks;
}

SampleReader::SampleReader(const SampleSelection &selection) : m_selection(selection)
{
    const std::vector<std::uint8_t> &links = selection.links;
    const auto first = std::ranges::find(links, std::uint8_t(1));
    const auto last = std::find(links.rbegin(), links.rend(), std::uint8_t(1));
    m_firstLink = static_cast<std::uint64_t>(first - links.begin());
    m_lastLink = static_cast<std::uint64_t>(links.rend() - last) - 1; // if none is, no chunk has any of them
}

bool SampleReader::overlaps(const SeriesChunk &chunk) const
{
    if (!m_selection.links.empty() && !m_selection.estimate) {
        // Samples of a trace come together: most chunks have none of it.
        const PackedColumn &links = chunk.chunk->links();
        if (m_firstLink > links.largestPossible() ||
            m_lastLink < static_cast<std::uint64_t>(links.minimum()) ||
            m_firstLink >= m_selection.links.size())
            return false;
    }
    if (!m_selection.time)
        return true;
    return chunk.hasTimes && chunk.chunk->earliest() <= m_selection.time->end &&
           chunk.chunk->latest() >= m_selection.time->begin;
}

void SampleReader::read(const SeriesChunk &chunk, std::size_t begin, std::size_t rows)
{
    m_chunk = chunk;
    m_begin = begin;
    m_rows = rows;
    const std::span values(m_values.data(), rows);
    chunk.chunk->stacks().read(begin, std::span(m_stacks.data(), rows));
    chunk.chunk->values(chunk.column).read(begin, values);
    if (chunk.countsRows)
        std::ranges::transform(values, values.begin(), [](std::int64_t value) { return value != 0; });
    if (chunk.factor != 1)
        for (std::int64_t &value : values)
            if (__builtin_mul_overflow(value, chunk.factor, &value)) {
                value = std::numeric_limits<std::int64_t>::max();
                m_overflowed = true;
            }
    select();
}

/// Values of samples that are not selected become 0, which adds nothing anywhere.
void SampleReader::select()
{
    if (!m_selection.contexts.empty())
        selectBy(m_chunk.chunk->contexts(), m_selection.contexts);
    if (!m_selection.links.empty())
        selectByLinks();
    if (!m_selection.time || (m_chunk.chunk->earliest() >= m_selection.time->begin &&
                              m_chunk.chunk->latest() <= m_selection.time->end))
        return;
    const std::span<const std::int64_t> when = times();
    for (std::size_t i = 0; i < m_rows; ++i)
        if (!m_selection.time->contains(when[i]))
            m_values[i] = 0;
}

void SampleReader::selectBy(const PackedColumn &column, const std::vector<std::uint8_t> &isIn)
{
    const std::span values(m_values.data(), m_rows);
    if (column.isConstant()) {
        if (!isIn[column[0]])
            std::ranges::fill(values, 0);
        return;
    }
    column.read(m_begin, std::span(m_ids.data(), m_rows));
    for (std::size_t i = 0; i < m_rows; ++i)
        values[i] = isIn[m_ids[i]] ? values[i] : 0;
}

std::span<const std::uint32_t> SampleReader::contexts()
{
    const std::span contexts(m_ids.data(), m_rows);
    m_chunk.chunk->contexts().read(m_begin, contexts);
    return contexts;
}

std::span<const std::uint32_t> SampleReader::links()
{
    const std::span links(m_links.data(), m_rows);
    m_chunk.chunk->links().read(m_begin, links);
    if (m_selection.estimate && m_chunk.hasTimes)
        estimateLinks(links);
    return links;
}

void SampleReader::selectByLinks()
{
    if (!m_selection.estimate || !m_chunk.hasTimes)
        return selectBy(m_chunk.chunk->links(), m_selection.links);
    const std::span<const std::uint32_t> linked = links();
    for (std::size_t i = 0; i < m_rows; ++i)
        if (m_selection.links[linked[i]] == 0)
            m_values[i] = 0;
}

void SampleReader::estimateLinks(std::span<std::uint32_t> links)
{
    if (std::ranges::find(links, LinkId().value) == links.end())
        return;
    const std::span<const std::uint32_t> inContexts = contexts();
    const std::span<const std::int64_t> when = times();
    for (std::size_t i = 0; i < m_rows; ++i)
        if (links[i] == LinkId().value)
            links[i] = m_selection.estimate->at(ContextId(inContexts[i]), when[i]).value;
}

std::span<const std::int64_t> SampleReader::times()
{
    const std::span times(m_times.data(), m_rows);
    m_chunk.chunk->times().read(m_begin, times);
    return times;
}

} // namespace hearth
