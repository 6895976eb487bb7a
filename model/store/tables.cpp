#include "model/store/tables.h"

#include "model/store/snapshot.h"

#include <algorithm>

namespace hearth {

Tables::Tables()
{
    internSet({}, hashOf({}));
    m_contexts.intern({});
    m_links.intern({});
}

namespace {

/// Gives a vector's memory back.
template <class Row>
void release(std::vector<Row> &rows)
{
    std::vector<Row>().swap(rows);
}

/// The rows of a batch that something refers to, in their order.
class UsedRows {
public:
    explicit UsedRows(std::size_t rows) : m_isUsed(rows) {}

    /// @return whether it was not before
    bool add(std::uint32_t row)
    {
        const bool isNew = !m_isUsed[row];
        m_isUsed[row] = true;
        return isNew;
    }
    std::vector<std::uint32_t> list() const
    {
        std::vector<std::uint32_t> rows;
        for (std::size_t row = 0; row < m_isUsed.size(); ++row)
            if (m_isUsed[row])
                rows.push_back(static_cast<std::uint32_t>(row));
        return rows;
    }

private:
    std::vector<bool> m_isUsed;
};

} // namespace

/// Adds the rows of one batch that something refers to: profiles may hold millions of names that no sample
/// needs. First finds out which these are, then adds them table by table.
class Tables::Interner {
public:
    Interner(Tables &tables, Batch &batch)
        : m_tables(tables), m_batch(batch), m_usedStrings(batch.strings.size()),
          m_usedFunctions(batch.functions.size()), m_usedMappings(batch.mappings.size()),
          m_usedFrames(batch.frames.size())
    {
        m_maps.strings.assign(batch.strings.size(), StringId::none());
        m_maps.functions.assign(batch.functions.size(), FunctionId::none());
        m_maps.mappings.assign(batch.mappings.size(), MappingId::none());
        m_maps.frames.assign(batch.frames.size(), FrameId::none());
    }

    BatchMaps run()
    {
        markFrames();
        markOthers();
        addStrings();
        addFunctions();
        addMappings();
        addFrames();
        m_maps.stacks = m_tables.m_stacks.add(m_batch.stacks, m_maps.frames);
        release(m_batch.stacks);
        addContexts();
        addNotes(m_batch.frameNotes, m_maps.frames, m_tables.m_frameNotes);
        addNotes(m_batch.mappingNotes, m_maps.mappings, m_tables.m_mappingNotes);
        m_maps.links.resize(m_batch.links.size());
        m_tables.m_links.internAll(
            m_batch.links.size(), [&](std::size_t i) -> const Link & { return m_batch.links[i]; },
            [&](std::size_t i, LinkId id) { m_maps.links[i] = id; });
        addMetrics();
        return std::move(m_maps);
    }

private:
    void mark(StringId id) { m_usedStrings.add(id.value); }

    void markFrames()
    {
        for (std::size_t i = 1; i < m_batch.stacks.size(); ++i)
            if (const FrameId id = m_batch.stacks[i].frame; m_usedFrames.add(id.value))
                mark(m_batch.frames[id.value]);
    }

    void mark(const Frame &frame)
    {
        mark(frame.kind);
        if (!frame.mapping.isNone())
            m_usedMappings.add(frame.mapping.value);
        for (const Line &line : std::span(m_batch.lines).subspan(frame.lineBegin, frame.lineCount))
            if (!line.function.isNone())
                m_usedFunctions.add(line.function.value);
    }

    void markOthers()
    {
        m_functions = m_usedFunctions.list();
        for (const std::uint32_t row : m_functions) {
            const Function &function = m_batch.functions[row];
            mark(function.name);
            mark(function.systemName);
            mark(function.file);
        }
        m_mappings = m_usedMappings.list();
        for (const std::uint32_t row : m_mappings) {
            const Binary &binary = m_batch.binaries[m_batch.mappings[row].binary.value];
            mark(binary.path);
            mark(binary.buildId);
            mark(binary.goBuildId);
            mark(binary.fileHash);
        }
        for (const Attribute &attribute : m_batch.attributes) {
            mark(attribute.key);
            mark(attribute.unit);
            if (attribute.hasText())
                mark(attribute.text());
        }
        for (const SampleBlock &block : m_batch.blocks) {
            for (const Series &series : block.series) {
                mark(series.type);
                mark(series.unit);
            }
            mark(block.periodType);
            mark(block.periodUnit);
        }
        for (const Metric &metric : m_batch.metrics) {
            mark(metric.name);
            mark(metric.description);
            mark(metric.unit);
        }
        const auto markStrings = [this]<class RowId>(RowId &id) {
            if constexpr (std::is_same_v<RowId, StringId>)
                mark(id);
        };
        m_batch.spans.forEachId(markStrings);
        m_batch.logs.forEachId(markStrings);
    }

    void addStrings()
    {
        m_tables.m_strings.internAll(m_batch.strings, m_usedStrings.list(), m_maps.strings,
                                     std::move(m_batch.arena));
        release(m_batch.strings);
    }

    StringId mapped(StringId id) const { return m_maps.strings[id.value]; }

    void addFunctions()
    {
        m_tables.m_functions.internAll(
            m_functions.size(),
            [&](std::size_t i) {
                Function function = m_batch.functions[m_functions[i]];
                function.name = mapped(function.name);
                function.systemName = mapped(function.systemName);
                function.file = mapped(function.file);
                return function;
            },
            [&](std::size_t i, FunctionId id) { m_maps.functions[m_functions[i]] = id; });
        release(m_batch.functions);
        release(m_functions);
    }

    void addMappings()
    {
        for (const std::uint32_t row : m_mappings) {
            Mapping mapping = m_batch.mappings[row];
            Binary binary = m_batch.binaries[mapping.binary.value];
            binary.path = mapped(binary.path);
            binary.buildId = mapped(binary.buildId);
            binary.goBuildId = mapped(binary.goBuildId);
            binary.fileHash = mapped(binary.fileHash);
            mapping.binary = m_tables.m_binaries.intern(binary);
            m_maps.mappings[row] = m_tables.m_mappings.intern(mapping);
        }
    }

    void addFrames()
    {
        for (Line &line : m_batch.lines)
            if (!line.function.isNone())
                line.function = m_maps.functions[line.function.value];
        const std::vector<std::uint32_t> rows = m_usedFrames.list();
        for (const std::uint32_t row : rows) {
            Frame &frame = m_batch.frames[row];
            frame.kind = mapped(frame.kind);
            if (!frame.mapping.isNone())
                frame.mapping = m_maps.mappings[frame.mapping.value];
        }
        const auto chainOf = [&](const Frame &frame) {
            return std::span<const Line>(m_batch.lines).subspan(frame.lineBegin, frame.lineCount);
        };
        forEachPrefetched(
            rows.size(), m_tables.m_frameIndex,
            [&](std::size_t i) {
                const Frame &frame = m_batch.frames[rows[i]];
                return m_tables.hashOf(frame, chainOf(frame));
            },
            [&](std::size_t i, std::uint64_t hash) {
                const Frame &frame = m_batch.frames[rows[i]];
                m_maps.frames[rows[i]] = m_tables.internFrame(frame, chainOf(frame), hash);
            });
        release(m_batch.frames);
        release(m_batch.lines);
    }

    void addContexts()
    {
        m_maps.attributes.resize(m_batch.attributes.size());
        m_tables.m_attributes.internAll(
            m_batch.attributes.size(),
            [&](std::size_t i) {
                Attribute attribute = m_batch.attributes[i];
                attribute.key = mapped(attribute.key);
                attribute.unit = mapped(attribute.unit);
                if (attribute.hasText())
                    attribute.bits = mapped(attribute.text()).value;
                return attribute;
            },
            [&](std::size_t i, AttributeId id) { m_maps.attributes[i] = id; });
        release(m_batch.attributes);
        for (AttributeId &attribute : m_batch.attributeLists)
            attribute = m_maps.attributes[attribute.value];
        const auto membersOf = [&](std::size_t i) {
            const AttributeSet set = m_batch.attributeSets[i];
            return std::span<const AttributeId>(m_batch.attributeLists).subspan(set.begin, set.count);
        };
        std::vector<AttributeSetId> &sets = m_maps.attributeSets;
        sets.resize(m_batch.attributeSets.size());
        forEachPrefetched(
            sets.size(), m_tables.m_attributeSetIndex,
            [&](std::size_t i) { return Tables::hashOf(membersOf(i)); },
            [&](std::size_t i, std::uint64_t hash) { sets[i] = m_tables.internSet(membersOf(i), hash); });
        release(m_batch.attributeSets);
        release(m_batch.attributeLists);
        m_maps.contexts.resize(m_batch.contexts.size());
        m_tables.m_contexts.internAll(
            m_batch.contexts.size(),
            [&](std::size_t i) {
                const Context &context = m_batch.contexts[i];
                return Context{.resource = sets[context.resource.value],
                               .scope = sets[context.scope.value],
                               .sample = sets[context.sample.value]};
            },
            [&](std::size_t i, ContextId id) { m_maps.contexts[i] = id; });
        release(m_batch.contexts);
    }

    template <class RowId, class Notes>
    void addNotes(const std::vector<Note<RowId>> &notes, const std::vector<RowId> &rowOf, Notes &known)
    {
        for (const Note<RowId> &note : notes)
            if (const RowId row = rowOf[note.of.value]; !row.isNone()) // else nothing refers to it
                known.intern({row, m_maps.attributes[note.attribute.value]});
    }

    void addMetrics()
    {
        m_maps.metrics.resize(m_batch.metrics.size());
        m_tables.m_metrics.internAll(
            m_batch.metrics.size(),
            [&](std::size_t i) {
                Metric metric = m_batch.metrics[i];
                metric.name = mapped(metric.name);
                metric.description = mapped(metric.description);
                metric.unit = mapped(metric.unit);
                metric.metadata = m_maps.attributeSets[metric.metadata.value];
                return metric;
            },
            [&](std::size_t i, MetricId id) { m_maps.metrics[i] = id; });
    }

    Tables &m_tables;
    Batch &m_batch;
    UsedRows m_usedStrings;
    UsedRows m_usedFunctions;
    UsedRows m_usedMappings;
    UsedRows m_usedFrames;
    std::vector<std::uint32_t> m_functions; ///< those that are used
    std::vector<std::uint32_t> m_mappings;
    BatchMaps m_maps;
};

BatchMaps Tables::intern(Batch &batch)
{
    return Interner(*this, batch).run();
}

std::uint64_t Tables::hashOf(const Frame &frame, std::span<const Line> chain) const
{
    const std::uint32_t binary =
        frame.mapping.isNone() ? BinaryId::none().value : m_mappings[frame.mapping].binary.value;
    const std::uint64_t hash = mixHash(hashBytes(chain.data(), chain.size_bytes()), frame.address);
    return mixHash(hash, (std::uint64_t(binary) << 32) | (frame.kind.value * 2U + frame.isFolded));
}

FrameId Tables::internFrame(Frame frame, std::span<const Line> chain, std::uint64_t hash)
{
    const auto binaryOf = [this](const Frame &of) {
        return of.mapping.isNone() ? BinaryId::none() : m_mappings[of.mapping].binary;
    };
    const std::uint32_t found = m_frameIndex.find(hash, [&](std::uint32_t row) {
        const Frame &other = m_frames[row];
        return other.address == frame.address && other.kind == frame.kind &&
               other.isFolded == frame.isFolded && binaryOf(other) == binaryOf(frame) &&
               std::ranges::equal(m_lines.span(other.lineBegin, other.lineCount), chain);
    });
    if (found != RowIndex::kNoRow)
        return FrameId(found);
    const FrameId id(m_frames.size());
    frame.lineBegin = appendLines(chain);
    m_frames.push_back(frame);
    m_frameIndex.insert(hash, id.value);
    return id;
}

std::uint64_t Tables::hashOf(std::span<const AttributeId> set)
{
    return hashBytes(set.data(), set.size_bytes());
}

AttributeSetId Tables::internSet(std::span<const AttributeId> attributes, std::uint64_t hash)
{
    const std::uint32_t found = m_attributeSetIndex.find(hash, [&](std::uint32_t row) {
        return std::ranges::equal(
            m_attributeLists.span(m_attributeSets[row].begin, m_attributeSets[row].count), attributes);
    });
    if (found != RowIndex::kNoRow)
        return AttributeSetId(found);
    const AttributeSetId id(m_attributeSets.size());
    m_attributeSets.push_back({static_cast<std::uint32_t>(m_attributeLists.append(attributes)),
                               static_cast<std::uint32_t>(attributes.size())});
    m_attributeSetIndex.insert(hash, id.value);
    return id;
}

std::size_t Tables::bytes() const
{
    return m_strings.bytes() + m_functions.bytes() + m_lines.bytes() + m_binaries.bytes() +
           m_mappings.bytes() + m_frameNotes.bytes() + m_mappingNotes.bytes() + m_frames.bytes() +
           m_frameIndex.bytes() + m_stacks.bytes() + m_attributes.bytes() + m_attributeLists.bytes() +
           m_attributeSets.bytes() + m_attributeSetIndex.bytes() + m_contexts.bytes() + m_links.bytes() +
           m_series.bytes() + m_metrics.bytes();
}

void Tables::publish(Snapshot &snapshot) const
{
    snapshot.strings = m_strings.view();
    snapshot.functions = m_functions.view();
    snapshot.lines = m_lines.view();
    snapshot.binaries = m_binaries.view();
    snapshot.mappings = m_mappings.view();
    snapshot.frames = m_frames.view();
    snapshot.frameNotes = m_frameNotes.view();
    snapshot.mappingNotes = m_mappingNotes.view();
    snapshot.stacks = m_stacks.view();
    snapshot.attributes = m_attributes.view();
    snapshot.attributeLists = m_attributeLists.view();
    snapshot.attributeSets = m_attributeSets.view();
    snapshot.contexts = m_contexts.view();
    snapshot.links = m_links.view();
    snapshot.series = m_series.view();
    snapshot.metrics = m_metrics.view();
}

} // namespace hearth
