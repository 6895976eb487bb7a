#include "model/store/sample_chunk.h"

#include <algorithm>
#include <cassert>

namespace hearth {

namespace {

template <class T>
std::vector<T> unpacked(const PackedColumn &column, std::size_t rows)
{
    std::vector<T> values(rows);
    column.read(0, std::span(values));
    return values;
}

/// The column with every id replaced by what `map` has for it.
template <class Tag>
std::vector<std::uint32_t> mapped(const PackedColumn &column, std::size_t rows, std::span<const Id<Tag>> map)
{
    if (column.isConstant() && rows > 0)
        return std::vector<std::uint32_t>(rows, map[column[0]].value);
    std::vector<std::uint32_t> ids = unpacked<std::uint32_t>(column, rows);
    for (std::uint32_t &id : ids)
        id = map[id].value;
    return ids;
}

template <class T>
PackedColumn packed(const std::vector<T> &values)
{
    return PackedColumn::pack(std::span<const T>(values));
}

template <class T>
void extend(std::vector<T> &rows, const std::vector<T> &more)
{
    rows.insert(rows.end(), more.begin(), more.end());
}

} // namespace

void SampleRows::add(StackId stack, ContextId context, LinkId link, std::int64_t time,
                     std::span<const std::int64_t> row)
{
    assert(row.size() == values.size());
    stacks.push_back(stack.value);
    contexts.push_back(context.value);
    links.push_back(link.value);
    times.push_back(time);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i].push_back(row[i]);
}

void SampleRows::clear()
{
    stacks.clear();
    contexts.clear();
    links.clear();
    times.clear();
    for (auto &column : values)
        column.clear();
}

SampleChunk::SampleChunk(const SampleRows &rows)
    : m_stacks(packed(rows.stacks)), m_contexts(packed(rows.contexts)), m_links(packed(rows.links)),
      m_times(packed(rows.times)), m_latest(rows.times.empty() ? 0 : std::ranges::max(rows.times)),
      m_rows(rows.size())
{
    for (const auto &column : rows.values)
        m_values.push_back(packed(column));
}

std::size_t SampleChunk::bytes() const
{
    std::size_t bytes =
        sizeof *this + m_stacks.bytes() + m_contexts.bytes() + m_links.bytes() + m_times.bytes();
    for (const PackedColumn &column : m_values)
        bytes += sizeof column + column.bytes();
    return bytes;
}

void SampleChunk::appendTo(SampleRows &rows, std::span<const StackId> stacks,
                           std::span<const ContextId> contexts, std::span<const LinkId> links) const
{
    extend(rows.stacks, mapped(m_stacks, m_rows, stacks));
    extend(rows.contexts, mapped(m_contexts, m_rows, contexts));
    extend(rows.links, mapped(m_links, m_rows, links));
    extend(rows.times, unpacked<std::int64_t>(m_times, m_rows));
    for (std::size_t i = 0; i < m_values.size(); ++i)
        extend(rows.values[i], unpacked<std::int64_t>(m_values[i], m_rows));
}

SampleChunk SampleChunk::remapped(std::span<const StackId> stacks, std::span<const ContextId> contexts,
                                  std::span<const LinkId> links) &&
{
    SampleChunk chunk;
    chunk.m_stacks = packed(mapped(m_stacks, m_rows, stacks));
    chunk.m_contexts = packed(mapped(m_contexts, m_rows, contexts));
    chunk.m_links = packed(mapped(m_links, m_rows, links));
    chunk.m_times = std::move(m_times);
    chunk.m_values = std::move(m_values);
    chunk.m_latest = m_latest;
    chunk.m_rows = m_rows;
    return chunk;
}

} // namespace hearth
