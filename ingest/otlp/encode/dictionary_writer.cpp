#include "ingest/otlp/encode/dictionary_writer.h"

#include "ingest/bytes/wire_writer.h"
#include "ingest/otlp/attributes.h"
#include "ingest/otlp/encode/any_value.h"
#include "ingest/otlp/profile_keys.h"

#include <array>
#include <utility>

namespace hearth::otlp {

namespace {

// Messages of generation 1.10.
enum class DictionaryField : std::uint32_t {
    Mappings = 1,
    Locations = 2,
    Functions = 3,
    Links = 4,
    Strings = 5,
    Attributes = 6,
    Stacks = 7
};
enum class MappingField : std::uint32_t { Start = 1, Limit = 2, Offset = 3, File = 4, Attributes = 5 };
enum class LocationField : std::uint32_t { Mapping = 1, Address = 2, Lines = 3, Attributes = 4 };
enum class LineField : std::uint32_t { Function = 1, Line = 2, Column = 3 };
enum class FunctionField : std::uint32_t { Name = 1, SystemName = 2, File = 3, StartLine = 4 };
enum class LinkField : std::uint32_t { TraceId = 1, SpanId = 2 };
enum class AttributeField : std::uint32_t { Key = 1, Value = 2, Unit = 3 };
enum class StackField : std::uint32_t { Locations = 1 };

/// A link that links nothing has ids that are zero, but has them.
std::string encodeLink(const Link &link)
{
    std::string out;
    WireWriter writer(out);
    writer.bytes(LinkField::TraceId, idText(link.trace));
    writer.bytes(LinkField::SpanId, idText(link.span));
    return out;
}

} // namespace

std::uint64_t DictionaryWriter::Table::add(std::string_view row)
{
    const auto [known, isNew] = m_indexOf.try_emplace(std::string(row), m_rows.size());
    if (isNew)
        m_rows.push_back(&known->first);
    return known->second;
}

void DictionaryWriter::Table::write(std::string &dictionary, std::uint32_t field) const
{
    for (const std::string *row : m_rows)
        WireWriter(dictionary).bytes(field, *row);
}

DictionaryWriter::DictionaryWriter(const Snapshot &snapshot)
    : m_snapshot(snapshot), m_mappings({}), m_locations({}), m_functions({}), m_links(encodeLink({})),
      m_strings({}), m_attributes({}), m_stacks({})
{
    for (const FrameNote &note : snapshot.frameNotes)
        m_frameNotes.emplace(note.of, note.attribute);
    for (const MappingNote &note : snapshot.mappingNotes)
        m_mappingNotes.emplace(note.of, note.attribute);
}

template <class RowId>
void DictionaryWriter::addNotes(std::string &attributes, const NotesOf<RowId> &notes, RowId id)
{
    const auto [begin, end] = notes.equal_range(id);
    for (auto note = begin; note != end; ++note)
        WireWriter(attributes).varint(attribute(note->second));
}

std::uint64_t DictionaryWriter::string(std::string_view text)
{
    return m_strings.add(text);
}

std::uint64_t DictionaryWriter::stack(StackId id)
{
    return known(m_stackOf, id, [&] {
        std::string locations;
        for (StackId at = id; at != StackId(); at = m_snapshot.stacks[at.value].parent)
            WireWriter(locations).varint(location(m_snapshot.stacks[at.value].frame));
        std::string out;
        WireWriter(out).nonEmpty(StackField::Locations, locations);
        return m_stacks.add(out);
    });
}

std::uint64_t DictionaryWriter::link(LinkId id)
{
    return known(m_linkOf, id, [&] { return m_links.add(encodeLink(m_snapshot.links[id.value])); });
}

std::uint64_t DictionaryWriter::addAttribute(std::uint64_t key, std::string_view anyValue, std::uint64_t unit)
{
    std::string out;
    WireWriter writer(out);
    writer.number(AttributeField::Key, key);
    writer.bytes(AttributeField::Value, anyValue);
    writer.number(AttributeField::Unit, unit);
    return m_attributes.add(out);
}

std::uint64_t DictionaryWriter::attribute(AttributeId id)
{
    return known(m_attributeOf, id, [&] {
        const Attribute &attribute = m_snapshot.attributes[id.value];
        return addAttribute(string(attribute.key), anyValueOf(m_snapshot, attribute), string(attribute.unit));
    });
}

std::uint64_t DictionaryWriter::textAttribute(std::string_view key, std::string_view text)
{
    std::string value;
    WireWriter(value).bytes(ValueField::String, text);
    return addAttribute(string(key), value, 0);
}

std::uint64_t DictionaryWriter::flagAttribute(std::string_view key)
{
    std::string value;
    WireWriter(value).present(ValueField::Bool, 1);
    return addAttribute(string(key), value, 0);
}

std::uint64_t DictionaryWriter::location(FrameId id)
{
    return known(m_locationOf, id, [&] {
        const Frame &frame = m_snapshot.frames[id.value];
        std::string out;
        WireWriter writer(out);
        std::uint64_t address = frame.address;
        if (!frame.mapping.isNone()) {
            writer.number(LocationField::Mapping, mapping(frame.mapping));
            address = m_snapshot.mappings[frame.mapping.value].memoryAddress(address);
        }
        writer.number(LocationField::Address, address);
        for (const Line &line : m_snapshot.linesOf(id)) {
            std::string lineText;
            WireWriter lineWriter(lineText);
            if (!line.function.isNone())
                lineWriter.number(LineField::Function, function(line.function));
            lineWriter.number(LineField::Line, static_cast<std::uint64_t>(line.line));
            lineWriter.number(LineField::Column, static_cast<std::uint64_t>(line.column));
            writer.bytes(LocationField::Lines, lineText);
        }
        std::string attributes;
        if (frame.kind != StringId())
            WireWriter(attributes).varint(textAttribute(kFrameTypeKey, text(frame.kind)));
        if (frame.isFolded)
            WireWriter(attributes).varint(flagAttribute(kIsFoldedKey));
        addNotes(attributes, m_frameNotes, id);
        writer.nonEmpty(LocationField::Attributes, attributes);
        if (out.empty())
            writer.present(LocationField::Address, 0); // a frame that nothing is known of, but no "none"
        return m_locations.add(out);
    });
}

std::uint64_t DictionaryWriter::function(FunctionId id)
{
    return known(m_functionOf, id, [&] {
        const Function &function = m_snapshot.functions[id.value];
        std::string out;
        WireWriter writer(out);
        writer.number(FunctionField::Name, string(function.name));
        writer.number(FunctionField::SystemName, string(function.systemName));
        writer.number(FunctionField::File, string(function.file));
        writer.number(FunctionField::StartLine, static_cast<std::uint64_t>(function.startLine));
        if (out.empty())
            writer.present(FunctionField::Name, 0);
        return m_functions.add(out);
    });
}

std::uint64_t DictionaryWriter::mapping(MappingId id)
{
    return known(m_mappingOf, id, [&] {
        const Mapping &mapping = m_snapshot.mappings[id.value];
        const Binary &binary = m_snapshot.binaries[mapping.binary.value];
        std::string attributes;
        for (const auto &[key, member] : kBuildIdKeys)
            if (binary.*member != StringId())
                WireWriter(attributes).varint(textAttribute(key, text(binary.*member)));
        for (const auto &[key, flag] : kMappingFlagKeys)
            if ((mapping.flags & flag) != 0)
                WireWriter(attributes).varint(flagAttribute(key));
        addNotes(attributes, m_mappingNotes, id);
        std::string out;
        WireWriter writer(out);
        writer.number(MappingField::Start, mapping.start);
        writer.number(MappingField::Limit, mapping.limit);
        writer.number(MappingField::Offset, mapping.offset);
        writer.number(MappingField::File, string(binary.path));
        writer.nonEmpty(MappingField::Attributes, attributes);
        if (out.empty())
            writer.present(MappingField::Start, 0);
        return m_mappings.add(out);
    });
}

std::string DictionaryWriter::finish() const
{
    std::string dictionary;
    const auto write = [&](const Table &table, DictionaryField field) {
        table.write(dictionary, static_cast<std::uint32_t>(field));
    };
    write(m_mappings, DictionaryField::Mappings);
    write(m_locations, DictionaryField::Locations);
    write(m_functions, DictionaryField::Functions);
    write(m_links, DictionaryField::Links);
    write(m_strings, DictionaryField::Strings);
    write(m_attributes, DictionaryField::Attributes);
    write(m_stacks, DictionaryField::Stacks);
    return dictionary;
}

} // namespace hearth::otlp
