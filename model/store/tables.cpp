#include "model/store/tables.h"

#include "model/store/snapshot.h"

#include <algorithm>

namespace hearth {

Tables::Tables()
{
    internSet({});
    m_contexts.intern({});
    m_links.intern({});
}

/// Adds rows of one batch when something refers to them: profiles may hold millions of names that no sample
/// needs.
class Tables::Interner {
public:
    Interner(Tables &tables, const Batch &batch) : m_tables(tables), m_batch(batch)
    {
        m_maps.strings.assign(batch.strings.size(), StringId::none());
        m_maps.functions.assign(batch.functions.size(), FunctionId::none());
        m_maps.mappings.assign(batch.mappings.size(), MappingId::none());
        m_maps.frames.assign(batch.frames.size(), FrameId::none());
    }

    BatchMaps run()
    {
        m_maps.stacks.reserve(m_batch.stacks.size());
        m_maps.stacks.push_back(StackId());
        for (std::size_t i = 1; i < m_batch.stacks.size(); ++i) {
            const StackNode &node = m_batch.stacks[i];
            m_maps.stacks.push_back(
                m_tables.m_stacks.child(m_maps.stacks[node.parent.value], frame(node.frame)));
        }
        addContexts();
        for (const Link &link : m_batch.links)
            m_maps.links.push_back(m_tables.m_links.intern(link));
        for (const SampleBlock &block : m_batch.blocks) {
            for (const Series &series : block.series) {
                string(series.type);
                string(series.unit);
            }
            string(block.periodType);
            string(block.periodUnit);
        }
        return std::move(m_maps);
    }

private:
    StringId string(StringId id)
    {
        StringId &known = m_maps.strings[id.value];
        if (known.isNone())
            known = m_tables.m_strings.intern(m_batch.strings[id.value]);
        return known;
    }

    FunctionId function(FunctionId id)
    {
        FunctionId &known = m_maps.functions[id.value];
        if (known.isNone()) {
            Function function = m_batch.functions[id.value];
            function.name = string(function.name);
            function.systemName = string(function.systemName);
            function.file = string(function.file);
            known = m_tables.m_functions.intern(function);
        }
        return known;
    }

    MappingId mapping(MappingId id)
    {
        MappingId &known = m_maps.mappings[id.value];
        if (known.isNone()) {
            Mapping mapping = m_batch.mappings[id.value];
            Binary binary = m_batch.binaries[mapping.binary.value];
            binary.path = string(binary.path);
            binary.buildId = string(binary.buildId);
            binary.goBuildId = string(binary.goBuildId);
            binary.fileHash = string(binary.fileHash);
            mapping.binary = m_tables.m_binaries.intern(binary);
            known = m_tables.m_mappings.intern(mapping);
        }
        return known;
    }

    FrameId frame(FrameId id)
    {
        FrameId &known = m_maps.frames[id.value];
        if (known.isNone()) {
            Frame frame = m_batch.frames[id.value];
            m_chain.assign(m_batch.lines.begin() + frame.lineBegin,
                           m_batch.lines.begin() + frame.lineBegin + frame.lineCount);
            for (Line &line : m_chain)
                if (!line.function.isNone())
                    line.function = function(line.function);
            if (!frame.mapping.isNone())
                frame.mapping = mapping(frame.mapping);
            frame.kind = string(frame.kind);
            known = m_tables.internFrame(frame, m_chain);
        }
        return known;
    }

    void addContexts()
    {
        m_maps.attributes.reserve(m_batch.attributes.size());
        for (Attribute attribute : m_batch.attributes) {
            attribute.key = string(attribute.key);
            attribute.unit = string(attribute.unit);
            if (attribute.hasText())
                attribute.bits = string(attribute.text()).value;
            m_maps.attributes.push_back(m_tables.m_attributes.intern(attribute));
        }
        std::vector<AttributeSetId> sets;
        sets.reserve(m_batch.attributeSets.size());
        std::vector<AttributeId> members;
        for (const AttributeSet set : m_batch.attributeSets) {
            members.clear();
            for (std::uint32_t i = set.begin; i < set.begin + set.count; ++i)
                members.push_back(m_maps.attributes[m_batch.attributeLists[i].value]);
            sets.push_back(m_tables.internSet(members));
        }
        m_maps.contexts.reserve(m_batch.contexts.size());
        for (const Context &context : m_batch.contexts)
            m_maps.contexts.push_back(m_tables.m_contexts.intern({.resource = sets[context.resource.value],
                                                                  .scope = sets[context.scope.value],
                                                                  .sample = sets[context.sample.value]}));
    }

    Tables &m_tables;
    const Batch &m_batch;
    BatchMaps m_maps;
    std::vector<Line> m_chain;
};

BatchMaps Tables::intern(const Batch &batch)
{
    return Interner(*this, batch).run();
}

FrameId Tables::internFrame(Frame frame, std::span<const Line> chain)
{
    const auto binaryOf = [this](const Frame &of) {
        return of.mapping.isNone() ? BinaryId::none() : m_mappings[of.mapping].binary;
    };
    std::uint64_t hash = hashBytes(chain.data(), chain.size_bytes());
    hash = mixHash(hash, frame.address);
    hash = mixHash(hash,
                   (std::uint64_t(binaryOf(frame).value) << 32) | (frame.kind.value * 2U + frame.isFolded));
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

AttributeSetId Tables::internSet(std::span<const AttributeId> attributes)
{
    const std::uint64_t hash = hashBytes(attributes.data(), attributes.size_bytes());
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
           m_mappings.bytes() + m_frames.bytes() + m_frameIndex.bytes() + m_stacks.bytes() +
           m_attributes.bytes() + m_attributeLists.bytes() + m_attributeSets.bytes() +
           m_attributeSetIndex.bytes() + m_contexts.bytes() + m_links.bytes() + m_series.bytes();
}

void Tables::publish(Snapshot &snapshot) const
{
    snapshot.strings = m_strings.view();
    snapshot.functions = m_functions.view();
    snapshot.lines = m_lines.view();
    snapshot.binaries = m_binaries.view();
    snapshot.mappings = m_mappings.view();
    snapshot.frames = m_frames.view();
    snapshot.stacks = m_stacks.view();
    snapshot.attributes = m_attributes.view();
    snapshot.attributeLists = m_attributeLists.view();
    snapshot.attributeSets = m_attributeSets.view();
    snapshot.contexts = m_contexts.view();
    snapshot.links = m_links.view();
    snapshot.series = m_series.view();
}

} // namespace hearth
