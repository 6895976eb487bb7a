#include "ingest/otlp/sample_blocks.h"

#include <algorithm>
#include <utility>

namespace hearth::otlp {

namespace {

template <class T>
std::vector<T> part(const std::vector<T> &rows, std::size_t begin, std::size_t end)
{
    return {rows.begin() + static_cast<std::ptrdiff_t>(begin),
            rows.begin() + static_cast<std::ptrdiff_t>(end)};
}

SampleRows part(const SampleRows &rows, std::size_t begin, std::size_t end)
{
    SampleRows out(0);
    out.stacks = part(rows.stacks, begin, end);
    out.contexts = part(rows.contexts, begin, end);
    out.links = part(rows.links, begin, end);
    out.times = part(rows.times, begin, end);
    for (const std::vector<std::int64_t> &values : rows.values)
        out.values.push_back(part(values, begin, end));
    return out;
}

} // namespace

void SampleBlocks::add(SampleBlock block, SampleRows rows)
{
    if (rows.size() == 0)
        return;
    std::optional<Open> &open = m_open[block.hasTimes ? 1 : 0];
    if (open && belongTogether(*open, block, rows)) {
        std::ranges::copy(block.series, std::back_inserter(open->block.series));
        std::ranges::move(rows.values, std::back_inserter(open->rows.values));
        return;
    }
    flush(open);
    open.emplace(std::move(block), std::move(rows));
}

bool SampleBlocks::belongTogether(const Open &open, const SampleBlock &block, const SampleRows &rows)
{
    const auto isKnown = [&](const Series &series) {
        return std::ranges::find(open.block.series, series) != open.block.series.end();
    };
    return open.block.periodType == block.periodType && open.block.periodUnit == block.periodUnit &&
           open.block.period == block.period && std::ranges::none_of(block.series, isKnown) &&
           open.rows.stacks == rows.stacks && open.rows.contexts == rows.contexts &&
           open.rows.links == rows.links && open.rows.times == rows.times;
}

void SampleBlocks::flush()
{
    for (std::optional<Open> &open : m_open)
        flush(open);
}

void SampleBlocks::flush(std::optional<Open> &open)
{
    if (!open)
        return;
    const std::size_t size = open->rows.size();
    if (size <= SampleChunk::kRows)
        open->block.chunks.emplace_back(open->rows);
    else
        for (std::size_t begin = 0; begin < size; begin += SampleChunk::kRows)
            open->block.chunks.emplace_back(
                part(open->rows, begin, std::min(begin + SampleChunk::kRows, size)));
    m_batch.blocks.push_back(std::move(open->block));
    open.reset();
}

} // namespace hearth::otlp
