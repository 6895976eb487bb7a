#pragma once

#include "model/store/ids.h"
#include "model/store/packed_column.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

/// Samples as they are collected: one vector per column, all of the same length.
struct SampleRows {
    explicit SampleRows(std::size_t valueColumns) : values(valueColumns) {}

    std::vector<std::uint32_t> stacks;
    std::vector<std::uint32_t> contexts;
    std::vector<std::uint32_t> links;
    std::vector<std::int64_t> times; ///< nanoseconds since 1970; 0 where the source has none
    std::vector<std::vector<std::int64_t>> values;

    std::size_t size() const { return stacks.size(); }
    void add(StackId stack, ContextId context, LinkId link, std::int64_t time,
             std::span<const std::int64_t> row);
    void clear();
};

/// Up to kRows samples that never change again. Columns that are constant or narrow take no or few bytes.
class SampleChunk {
public:
    static constexpr std::size_t kRows = 65536;

    explicit SampleChunk(const SampleRows &rows);

    std::size_t rows() const { return m_rows; }
    std::size_t bytes() const;

    const PackedColumn &stacks() const { return m_stacks; }
    const PackedColumn &contexts() const { return m_contexts; }
    const PackedColumn &links() const { return m_links; }
    const PackedColumn &times() const { return m_times; }
    const PackedColumn &values(std::size_t column) const { return m_values[column]; }
    std::size_t valueColumns() const { return m_values.size(); }

    std::int64_t earliest() const { return m_times.minimum(); }
    std::int64_t latest() const { return m_latest; }

    /// Appends these samples to `rows`, with every id looked up in the map of its table.
    void appendTo(SampleRows &rows, std::span<const StackId> stacks, std::span<const ContextId> contexts,
                  std::span<const LinkId> links) const;

    /// Makes of a chunk with a batch's ids one with the store's, without touching times and values.
    SampleChunk remapped(std::span<const StackId> stacks, std::span<const ContextId> contexts,
                         std::span<const LinkId> links) &&;

private:
    SampleChunk() = default;

    PackedColumn m_stacks;
    PackedColumn m_contexts;
    PackedColumn m_links;
    PackedColumn m_times;
    std::vector<PackedColumn> m_values;
    std::int64_t m_latest = 0;
    std::size_t m_rows = 0;
};

} // namespace hearth
