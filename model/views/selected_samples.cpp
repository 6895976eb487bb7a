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
                          series.timesPeriod ? table.period : 1, table.hasTimes});
    return chunks;
}

bool SampleReader::overlaps(const SeriesChunk &chunk) const
{
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
        selectBy(m_chunk.chunk->links(), m_selection.links);
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
    return links;
}

std::span<const std::int64_t> SampleReader::times()
{
    const std::span times(m_times.data(), m_rows);
    m_chunk.chunk->times().read(m_begin, times);
    return times;
}

} // namespace hearth
