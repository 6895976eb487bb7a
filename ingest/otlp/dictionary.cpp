#include "ingest/otlp/dictionary.h"

#include "ingest/otlp/profile_keys.h"

#include <algorithm>
#include <limits>

namespace hearth::otlp {

namespace {

constexpr std::size_t kMostFrames = std::size_t(1) << 20;

/// Looks a row up that is made when it is first asked for.
template <class RowId, class Make>
RowId remembered(std::vector<RowId> &known, std::uint64_t index, Make make)
{
    if (known[index].isNone())
        known[index] = make();
    return known[index];
}

std::int32_t columnOf(std::uint64_t column)
{
    return static_cast<std::int32_t>(
        std::min<std::uint64_t>(column, std::numeric_limits<std::int32_t>::max()));
}

} // namespace

void Dictionary::addTables(Bytes message)
{
    const bool isWhole = forEachField(message, m_layout.tables, [&](TableRole role, const WireField &field) {
        if (role != TableRole::Unknown && field.isBytes())
            add(role, field.bytes);
        else if (role != TableRole::Unknown)
            m_batch.losses.add(Loss::MalformedRecords, "a row of a dictionary's table is no message");
    });
    if (!isWhole)
        m_batch.losses.add(Loss::DamagedInput, "a dictionary is damaged; rows from there on are missing");
}

void Dictionary::finish()
{
    for (const Bytes text : table(TableRole::Strings))
        m_strings.push_back(
            text.empty() ? StringId()
                         : m_batch.addString({reinterpret_cast<const char *>(text.data()), text.size()}));
    m_attributeReader.setStrings(m_strings);
    m_functions.assign(table(TableRole::Functions).size(), FunctionId::none());
    m_mappings.assign(table(TableRole::Mappings).size(), MappingId::none());
    m_frames.assign(table(TableRole::Locations).size(), FrameId::none());
    m_stacks.assign(table(TableRole::Stacks).size(), StackId::none());
    m_links.assign(table(TableRole::Links).size(), LinkId::none());
    m_attributes.resize(table(TableRole::Attributes).size());
    m_attributeIsRead.resize(m_attributes.size());
    for (const Bytes row : table(TableRole::AttributeUnits)) {
        std::array<StringId, 2> pair; // key and unit
        WireReader reader(row);
        WireField field;
        while (reader.next(field))
            if (field.number == 1 || field.number == 2)
                pair[field.number - 1] = string(scalar(field));
        m_units.emplace_back(pair[0], pair[1]);
    }
}

/// The number of a field that is to be one.
std::uint64_t Dictionary::scalar(const WireField &field)
{
    if (!field.isBytes())
        return field.number64;
    m_batch.losses.add(Loss::MalformedRecords, "a number is written as a message");
    return 0;
}

bool Dictionary::isNull(TableRole role, std::uint64_t index) const
{
    const auto rows = table(role);
    return index == 0 && m_layout.hasNullRows && (rows.empty() || rows[0].empty());
}

Bytes Dictionary::row(TableRole role, std::uint64_t index)
{
    const auto rows = table(role);
    if (index < rows.size())
        return rows[index];
    constexpr std::array<std::string_view, 9> kNames{"row",    "mapping",   "location", "function", "link",
                                                     "string", "attribute", "unit",     "stack"};
    m_batch.losses.add(Loss::UnknownReferences, std::string(kNames[static_cast<std::size_t>(role)]) + ' ' +
                                                    std::to_string(index) + " of " +
                                                    std::to_string(rows.size()));
    return {};
}

StackId Dictionary::stack(std::uint64_t index)
{
    if (isNull(TableRole::Stacks, index))
        return {};
    if (index >= m_stacks.size()) {
        row(TableRole::Stacks, index);
        return StackId::none();
    }
    return remembered(m_stacks, index, [&] {
        m_locations.clear();
        WireReader reader(table(TableRole::Stacks)[index]);
        WireField field;
        bool isWhole = true;
        while (reader.next(field))
            if (field.number == field::kStackLocations)
                isWhole &=
                    forEachVarint(field, [&](std::uint64_t location) { m_locations.push_back(location); });
        if (!isWhole || !reader.isOk())
            m_batch.losses.add(Loss::MalformedRecords, "a stack ends within a number");
        return stackOf(m_locations);
    });
}

StackId Dictionary::stackOf(std::span<const std::uint64_t> locations)
{
    if (locations.size() > kMostFrames) {
        m_batch.losses.add(Loss::OversizedFields, "a stack was cut to its innermost million frames");
        locations = locations.first(kMostFrames);
    }
    StackId stack;
    for (std::size_t i = locations.size(); i-- > 0;) {
        const FrameId id = frame(locations[i]);
        if (id.isNone())
            continue;
        m_batch.stacks.push_back({stack, id});
        stack = StackId(m_batch.stacks.size() - 1);
    }
    return stack;
}

/// @return none if the location stands for none
FrameId Dictionary::frame(std::uint64_t location)
{
    if (isNull(TableRole::Locations, location)) {
        m_batch.losses.add(Loss::UnknownReferences, "location 0 in a stack");
        return FrameId::none();
    }
    if (location >= m_frames.size()) {
        m_batch.losses.add(Loss::FramesWithoutLocation);
        return addFrame({});
    }
    return remembered(m_frames, location, [&] { return addFrame(table(TableRole::Locations)[location]); });
}

FrameId Dictionary::addFrame(Bytes location)
{
    const FrameId id(m_batch.frames.size());
    m_batch.frames.emplace_back();
    Frame frame;
    bool isWhole = true;
    m_lines.clear();
    isWhole &= forEachField(location, m_layout.location, [&](LocationRole role, const WireField &field) {
        switch (role) {
        case LocationRole::Mapping:
            frame.mapping = mapping(scalar(field));
            break;
        case LocationRole::Address:
            frame.address = scalar(field);
            break;
        case LocationRole::Line:
            m_lines.push_back(readLine(field.bytes));
            break;
        case LocationRole::Attributes:
            isWhole &= forEachVarint(field, [&](std::uint64_t index) {
                const Attribute *found = attribute(index);
                if (found != nullptr && !readLocationAttribute(*found, frame))
                    m_batch.frameNotes.push_back({id, addAttribute(*found)});
            });
            break;
        case LocationRole::IsFolded:
            frame.isFolded = scalar(field) != 0;
            break;
        case LocationRole::Type:
            frame.kind = string(scalar(field));
            break;
        case LocationRole::Ignored:
            break;
        case LocationRole::Unknown:
            m_batch.losses.add(Loss::UnknownFields);
        }
    });
    if (!isWhole)
        m_batch.losses.add(Loss::MalformedRecords, "a location is damaged");
    // Where the first row is a real one, a writer that leaves out zeros leaves out the reference to it. Later
    // generations with real first rows say so when there is no mapping.
    if (frame.mapping.isNone() && m_layout.hasContainer && !m_mappings.empty())
        frame.mapping = mapping(0);
    if (!frame.mapping.isNone())
        frame.address = m_batch.mappings[frame.mapping.value].fileAddress(frame.address);
    frame.lineBegin = static_cast<std::uint32_t>(m_batch.lines.size());
    frame.lineCount = static_cast<std::uint32_t>(m_lines.size()) & 0x7fffffffU;
    m_batch.lines.insert(m_batch.lines.end(), m_lines.begin(), m_lines.end());
    m_batch.frames[id.value] = frame;
    return id;
}

AttributeId Dictionary::addAttribute(const Attribute &attribute)
{
    m_batch.attributes.push_back(attribute);
    return AttributeId(m_batch.attributes.size() - 1);
}

bool Dictionary::readLocationAttribute(const Attribute &attribute, Frame &frame)
{
    const std::string_view key = m_batch.strings[attribute.key.value];
    if (key == kFrameTypeKey && attribute.type == AttributeType::String)
        frame.kind = attribute.text();
    else if (key == kIsFoldedKey && attribute.type == AttributeType::Bool)
        frame.isFolded = attribute.bits != 0;
    else
        return false;
    return true;
}

Line Dictionary::readLine(Bytes message)
{
    Line line;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        switch (field.number) {
        case field::kLineFunction:
            line.function = function(scalar(field));
            break;
        case field::kLineLine:
            line.line = static_cast<std::int64_t>(scalar(field));
            break;
        case field::kLineColumn:
            line.column = columnOf(scalar(field));
            break;
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    if (line.function.isNone() && !m_layout.hasNullRows && !m_functions.empty())
        line.function = function(0);
    if (!reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords, "a line is damaged");
    return line;
}

FunctionId Dictionary::function(std::uint64_t index)
{
    if (isNull(TableRole::Functions, index))
        return FunctionId::none();
    if (index >= m_functions.size()) {
        row(TableRole::Functions, index);
        return FunctionId::none();
    }
    return remembered(m_functions, index, [&] {
        Function function;
        if (!m_layout.hasNullRows && !m_strings.empty())
            function.name = m_strings[0]; // usually empty, too
        const auto take = [&](FunctionRole role, const WireField &field) {
            switch (role) {
            case FunctionRole::Name:
                function.name = string(scalar(field));
                break;
            case FunctionRole::SystemName:
                function.systemName = string(scalar(field));
                break;
            case FunctionRole::File:
                function.file = string(scalar(field));
                break;
            case FunctionRole::StartLine:
                function.startLine = static_cast<std::int64_t>(scalar(field));
                break;
            case FunctionRole::Ignored:
                break;
            case FunctionRole::Unknown:
                m_batch.losses.add(Loss::UnknownFields);
            }
        };
        if (!forEachField(table(TableRole::Functions)[index], m_layout.function, take))
            m_batch.losses.add(Loss::MalformedRecords, "a function is damaged");
        m_batch.functions.push_back(function);
        return FunctionId(m_batch.functions.size() - 1);
    });
}

MappingId Dictionary::mapping(std::uint64_t index)
{
    if (isNull(TableRole::Mappings, index))
        return MappingId::none();
    if (index >= m_mappings.size()) {
        row(TableRole::Mappings, index);
        return MappingId::none();
    }
    return remembered(m_mappings, index, [&] {
        const MappingId id(m_batch.mappings.size());
        Mapping mapping;
        Binary binary;
        StringId buildId;
        bool isFileHash = false;
        bool isWhole = true;
        const auto setFlag = [&](const WireField &field, MappingFlags flag) {
            if (scalar(field) != 0)
                mapping.flags |= flag;
        };
        const auto take = [&](MappingRole role, const WireField &field) {
            switch (role) {
            case MappingRole::Start:
                mapping.start = scalar(field);
                break;
            case MappingRole::Limit:
                mapping.limit = scalar(field);
                break;
            case MappingRole::Offset:
                mapping.offset = scalar(field);
                break;
            case MappingRole::File:
                binary.path = string(scalar(field));
                break;
            case MappingRole::Attributes:
                isWhole &= forEachVarint(field, [&](std::uint64_t number) {
                    const Attribute *found = attribute(number);
                    if (found != nullptr && !readMappingAttribute(*found, mapping, binary))
                        m_batch.mappingNotes.push_back({id, addAttribute(*found)});
                });
                break;
            case MappingRole::HasFunctions:
                setFlag(field, kHasFunctions);
                break;
            case MappingRole::HasFilenames:
                setFlag(field, kHasFilenames);
                break;
            case MappingRole::HasLineNumbers:
                setFlag(field, kHasLineNumbers);
                break;
            case MappingRole::HasInlineFrames:
                setFlag(field, kHasInlineFrames);
                break;
            case MappingRole::BuildId:
                buildId = string(scalar(field));
                break;
            case MappingRole::BuildIdKind:
                isFileHash = scalar(field) == 1;
                break;
            case MappingRole::Ignored:
                break;
            case MappingRole::Unknown:
                m_batch.losses.add(Loss::UnknownFields);
            }
        };
        isWhole &= forEachField(table(TableRole::Mappings)[index], m_layout.mapping, take);
        if (!isWhole)
            m_batch.losses.add(Loss::MalformedRecords, "a mapping is damaged");
        if (buildId != StringId())
            (isFileHash ? binary.fileHash : binary.buildId) = buildId;
        mapping.binary = BinaryId(m_batch.binaries.size());
        m_batch.binaries.push_back(binary);
        m_batch.mappings.push_back(mapping);
        return id;
    });
}

bool Dictionary::readMappingAttribute(const Attribute &attribute, Mapping &mapping, Binary &binary)
{
    const std::string_view key = m_batch.strings[attribute.key.value];
    if (attribute.type == AttributeType::Bool)
        for (const MappingFlagKey &flag : kMappingFlagKeys)
            if (flag.key == key) {
                if (attribute.bits != 0)
                    mapping.flags |= flag.flag;
                return true;
            }
    if (attribute.type == AttributeType::String)
        for (const BuildIdKey &buildId : kBuildIdKeys)
            if (buildId.key == key || (key == kOldFileHashKey && buildId.member == &Binary::fileHash)) {
                binary.*buildId.member = attribute.text();
                return true;
            }
    return false;
}

LinkId Dictionary::link(std::uint64_t index)
{
    if (index >= m_links.size()) {
        if (!isNull(TableRole::Links, index))
            row(TableRole::Links, index);
        return {};
    }
    return remembered(m_links, index, [&] {
        Link link;
        WireReader reader(table(TableRole::Links)[index]);
        WireField field;
        bool isWhole = true;
        while (reader.next(field)) {
            const std::span<std::uint8_t> id = field.number == field::kLinkTrace
                                                   ? std::span<std::uint8_t>(link.trace)
                                                   : std::span<std::uint8_t>(link.span);
            if (field.number > field::kLinkSpan || field.bytes.empty())
                continue;
            isWhole &= field.bytes.size() == id.size();
            if (field.bytes.size() == id.size())
                std::ranges::copy(field.bytes, id.begin());
        }
        if (!isWhole || !reader.isOk())
            m_batch.losses.add(Loss::MalformedRecords, "a link's ids have a wrong length");
        if (link == Link())
            return LinkId();
        m_batch.links.push_back(link);
        return LinkId(m_batch.links.size() - 1);
    });
}

const Attribute *Dictionary::attribute(std::uint64_t index)
{
    if (isNull(TableRole::Attributes, index))
        return nullptr;
    if (index >= m_attributes.size()) {
        row(TableRole::Attributes, index);
        return nullptr;
    }
    if (!m_attributeIsRead[index]) {
        m_attributes[index] = readAttribute(table(TableRole::Attributes)[index]);
        m_attributeIsRead[index] = true;
    }
    // Row 0 may be spelled out and still say nothing.
    const bool isEmpty = index == 0 && m_layout.hasNullRows && m_attributes[0].key == StringId();
    return isEmpty ? nullptr : &m_attributes[index];
}

Attribute Dictionary::readAttribute(Bytes row)
{
    if (!m_layout.hasUnitInAttribute) {
        Attribute attribute = m_attributeReader.keyValue(row);
        for (const auto &[key, unit] : m_units)
            if (m_batch.strings[key.value] == m_batch.strings[attribute.key.value])
                attribute.unit = unit;
        return attribute;
    }
    StringId key;
    StringId unit;
    Attribute attribute;
    WireReader reader(row);
    WireField field;
    while (reader.next(field)) {
        switch (field.number) {
        case 1:
            key = string(scalar(field));
            break;
        case 2:
            attribute = m_attributeReader.value(field.bytes);
            break;
        case 3:
            unit = string(scalar(field));
            break;
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    if (!reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords, "an attribute is damaged");
    attribute.key = key;
    attribute.unit = unit;
    return attribute;
}

} // namespace hearth::otlp
