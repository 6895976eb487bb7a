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

BatchMaps Tables::intern(const Batch &batch)
{
    BatchMaps maps;
    maps.strings.reserve(batch.strings.size());
    for (const std::string_view text : batch.strings)
        maps.strings.push_back(m_strings.intern(text));
    internFrames(batch, maps);
    maps.stacks.reserve(batch.stacks.size());
    maps.stacks.push_back(StackId());
    for (std::size_t i = 1; i < batch.stacks.size(); ++i)
        maps.stacks.push_back(m_stacks.child(maps.stacks[batch.stacks[i].parent.value],
                                             maps.frames[batch.stacks[i].frame.value]));
    internContexts(batch, maps);
    for (const Link &link : batch.links)
        maps.links.push_back(m_links.intern(link));
    return maps;
}

void Tables::internFrames(const Batch &batch, BatchMaps &maps)
{
    maps.functions.reserve(batch.functions.size());
    for (Function function : batch.functions) {
        function.name = maps.strings[function.name.value];
        function.systemName = maps.strings[function.systemName.value];
        function.file = maps.strings[function.file.value];
        maps.functions.push_back(m_functions.intern(function));
    }
    std::vector<BinaryId> binaries;
    for (Binary binary : batch.binaries) {
        binary.path = maps.strings[binary.path.value];
        binary.buildId = maps.strings[binary.buildId.value];
        binary.goBuildId = maps.strings[binary.goBuildId.value];
        binary.fileHash = maps.strings[binary.fileHash.value];
        binaries.push_back(m_binaries.intern(binary));
    }
    for (Mapping mapping : batch.mappings) {
        mapping.binary = binaries[mapping.binary.value];
        maps.mappings.push_back(m_mappings.intern(mapping));
    }
    maps.frames.reserve(batch.frames.size());
    std::vector<Line> chain;
    for (Frame frame : batch.frames) {
        chain.assign(batch.lines.begin() + frame.lineBegin,
                     batch.lines.begin() + frame.lineBegin + frame.lineCount);
        for (Line &line : chain)
            if (!line.function.isNone())
                line.function = maps.functions[line.function.value];
        if (!frame.mapping.isNone())
            frame.mapping = maps.mappings[frame.mapping.value];
        frame.kind = maps.strings[frame.kind.value];
        maps.frames.push_back(internFrame(frame, chain));
    }
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

void Tables::internContexts(const Batch &batch, BatchMaps &maps)
{
    for (Attribute attribute : batch.attributes) {
        attribute.key = maps.strings[attribute.key.value];
        attribute.unit = maps.strings[attribute.unit.value];
        if (attribute.hasText())
            attribute.bits = maps.strings[attribute.text().value].value;
        maps.attributes.push_back(m_attributes.intern(attribute));
    }
    std::vector<AttributeSetId> sets;
    sets.reserve(batch.attributeSets.size());
    std::vector<AttributeId> members;
    for (const AttributeSet set : batch.attributeSets) {
        members.clear();
        for (std::uint32_t i = set.begin; i < set.begin + set.count; ++i)
            members.push_back(maps.attributes[batch.attributeLists[i].value]);
        sets.push_back(internSet(members));
    }
    maps.contexts.reserve(batch.contexts.size());
    for (const Context &context : batch.contexts)
        maps.contexts.push_back(m_contexts.intern({.resource = sets[context.resource.value],
                                                   .scope = sets[context.scope.value],
                                                   .sample = sets[context.sample.value]}));
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
