#pragma once

#include "model/store/batch.h"
#include "model/store/column.h"
#include "model/store/row_index.h"
#include "model/store/rows.h"
#include "model/store/stack_tree.h"
#include "model/store/string_table.h"

#include <span>
#include <vector>

namespace hearth {

/// A table that holds each distinct row once. Rows are compared as memory.
template <class Row, class RowId>
class InternedTable {
public:
    RowId intern(const Row &row) { return intern(row, hashOf(row)); }

    /// Interns `rowOf(i)` for each i below `count` and hands the ids to `take(i, id)`, in order.
    template <class RowOf, class Take>
    void internAll(std::size_t count, RowOf rowOf, Take take)
    {
        if (m_rows.size() < count / 2) // mostly new, probably
            m_rows.reserve(m_rows.size() + count);
        forEachPrefetched(
            count, m_index, [&](std::size_t i) { return hashOf(rowOf(i)); },
            [&](std::size_t i, std::uint64_t hash) { take(i, intern(rowOf(i), hash)); });
    }
    const Row &operator[](RowId id) const { return m_rows[id.value]; }
    std::size_t size() const { return m_rows.size(); }
    std::size_t bytes() const { return m_rows.bytes() + m_index.bytes(); }
    ColumnView<Row> view() const { return m_rows.view(); }

private:
    static std::uint64_t hashOf(const Row &row) { return hashBytes(&row, sizeof row); }

    RowId intern(const Row &row, std::uint64_t hash)
    {
        const std::uint32_t found =
            m_index.find(hash, [&](std::uint32_t other) { return m_rows[other] == row; });
        if (found != RowIndex::kNoRow)
            return RowId(found);
        const RowId id(m_rows.size());
        m_rows.push_back(row);
        m_index.insert(hash, id.value);
        return id;
    }

    Column<Row> m_rows;
    RowIndex m_index;
};

/// Which rows of the store the rows of a batch became; none for those that nothing in the batch refers to.
struct BatchMaps {
    std::vector<StringId> strings;
    std::vector<FunctionId> functions;
    std::vector<MappingId> mappings;
    std::vector<FrameId> frames;
    std::vector<StackId> stacks;
    std::vector<AttributeId> attributes;
    std::vector<ContextId> contexts;
    std::vector<LinkId> links;
    std::vector<AttributeSetId> attributeSets;
    std::vector<MetricId> metrics;
};

/// The dictionary of a data set: everything that samples refer to, each distinct thing once. Only ever grows.
class Tables {
public:
    Tables();

    /// Adds what is new of a batch's dictionary, and takes the dictionary apart while at it. Costs by the
    /// size of the dictionary, not by the number of samples.
    BatchMaps intern(Batch &batch);

    StringId internString(std::string_view text) { return m_strings.intern(text); }
    SeriesId internSeries(const Series &series) { return m_series.intern(series); }
    FunctionId internFunction(const Function &function) { return m_functions.intern(function); }

    /// Appends lines that belong to no frame of a batch: symbols that arrive later.
    std::uint32_t appendLines(std::span<const Line> lines)
    {
        return static_cast<std::uint32_t>(m_lines.append(lines));
    }

    std::size_t frameCount() const { return m_frames.size(); }
    std::size_t bytes() const;

    /// Fills in the views of `snapshot`.
    void publish(struct Snapshot &snapshot) const;

private:
    class Interner;

    std::uint64_t hashOf(const Frame &frame, std::span<const Line> chain) const;
    FrameId internFrame(Frame frame, std::span<const Line> chain, std::uint64_t hash);
    static std::uint64_t hashOf(std::span<const AttributeId> set);
    AttributeSetId internSet(std::span<const AttributeId> attributes, std::uint64_t hash);

    StringTable m_strings;
    InternedTable<Function, FunctionId> m_functions;
    Column<Line> m_lines;
    InternedTable<Binary, BinaryId> m_binaries;
    InternedTable<Mapping, MappingId> m_mappings;
    Column<Frame> m_frames;
    RowIndex m_frameIndex;
    InternedTable<FrameNote, Id<FrameNote>> m_frameNotes;
    InternedTable<MappingNote, Id<MappingNote>> m_mappingNotes;
    StackTree m_stacks;
    InternedTable<Attribute, AttributeId> m_attributes;
    Column<AttributeId> m_attributeLists;
    Column<AttributeSet> m_attributeSets;
    RowIndex m_attributeSetIndex;
    InternedTable<Context, ContextId> m_contexts;
    InternedTable<Link, LinkId> m_links;
    InternedTable<Series, SeriesId> m_series;
    InternedTable<Metric, MetricId> m_metrics;
};

} // namespace hearth
