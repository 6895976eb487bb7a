#include "ingest/formats/pprof_writer.h"

#include "ingest/bytes/text_codes.h"
#include "ingest/bytes/wire_writer.h"
#include "ingest/formats/pprof_wire.h"
#include "model/lens/attribute_keys.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace hearth {

namespace {

using pprof::FunctionField;
using pprof::LabelField;
using pprof::LineField;
using pprof::LocationField;
using pprof::MappingField;
using pprof::ProfileField;
using pprof::SampleField;
using pprof::ValueTypeField;

/// Ids in the file are rows plus one, since 0 means none there. Strings keep their rows: row 0 is empty in
/// both.
class PprofWriter {
public:
    explicit PprofWriter(const Snapshot &snapshot) : m_snapshot(snapshot), m_profile(m_out) {}

    Result<std::string> write();

private:
    void writeSampleTypes();
    void writeSamples(const SampleTable &table);
    void writeMappings();
    void writeLocations();
    void writeFunctions();
    void writeStrings();
    void writeOrigins();
    const std::string &labelsOf(std::uint32_t context);
    std::string attributeLabel(const Attribute &attribute);
    std::string numberLabel(std::string_view key, std::uint64_t number);
    std::string textLabel(std::string_view key, std::string_view text);
    std::uint64_t stringIndex(std::string_view text);
    void message(ProfileField field, std::string_view payload) { m_profile.bytes(field, payload); }
    std::string valueType(StringId type, StringId unit);

    const Snapshot &m_snapshot;
    std::string m_out;
    WireWriter m_profile;
    std::vector<SeriesId> m_series;
    std::vector<std::string> m_labels; ///< by context, as encoded Label fields
    std::vector<bool> m_hasLabels;
    std::map<std::string, std::uint64_t, std::less<>> m_newStrings;
    std::vector<std::string_view> m_newOrder;
};

Result<std::string> PprofWriter::write()
{
    for (std::size_t i = 0; i < m_snapshot.series.size(); ++i)
        m_series.emplace_back(i);
    if (m_series.empty())
        return failure("a profile needs at least one series");
    writeSampleTypes();
    for (const SampleTable &table : m_snapshot.tables)
        writeSamples(table);
    writeMappings();
    writeLocations();
    writeFunctions();
    writeOrigins();
    writeStrings();
    return std::move(m_out);
}

std::string PprofWriter::valueType(StringId type, StringId unit)
{
    std::string payload;
    WireWriter writer(payload);
    writer.number(ValueTypeField::Type, type.value);
    writer.number(ValueTypeField::Unit, unit.value);
    return payload;
}

void PprofWriter::writeSampleTypes()
{
    for (const SeriesId id : m_series) {
        const Series &series = m_snapshot.series[id.value];
        message(ProfileField::SampleType, valueType(series.type, series.unit));
    }
}

void PprofWriter::writeSamples(const SampleTable &table)
{
    std::vector<std::size_t> columnOf(m_series.size(), table.series.size());
    for (std::size_t column = 0; column < table.series.size(); ++column)
        columnOf[table.series[column].value] = column;
    std::string sample;
    std::string packed;
    WireWriter writer(sample);
    WireWriter list(packed);
    for (const auto &chunk : table.chunks)
        for (std::size_t row = 0; row < chunk->rows(); ++row) {
            sample.clear();
            packed.clear();
            for (StackId stack(chunk->stacks()[row]); stack != StackId();
                 stack = m_snapshot.stacks[stack.value].parent)
                list.varint(m_snapshot.stacks[stack.value].frame.value + std::uint64_t(1));
            if (!packed.empty())
                writer.bytes(SampleField::LocationId, packed);
            packed.clear();
            for (const std::size_t column : columnOf)
                list.varint(column < table.series.size() ? chunk->values(column)[row] : 0);
            writer.bytes(SampleField::Value, packed);
            sample += labelsOf(static_cast<std::uint32_t>(chunk->contexts()[row]));
            if (table.hasTimes)
                sample += numberLabel("timestamp_ns", chunk->times()[row]);
            if (const std::uint64_t link = chunk->links()[row]; link != 0) {
                sample += textLabel("trace_id", hexOf(m_snapshot.links[link].trace));
                sample += textLabel("span_id", hexOf(m_snapshot.links[link].span));
            }
            message(ProfileField::Sample, sample);
        }
}

const std::string &PprofWriter::labelsOf(std::uint32_t context)
{
    if (m_labels.empty()) {
        m_labels.resize(m_snapshot.contexts.size());
        m_hasLabels.resize(m_snapshot.contexts.size());
    }
    if (!m_hasLabels[context]) {
        m_hasLabels[context] = true;
        const Context &sets = m_snapshot.contexts[context];
        for (const AttributeSetId set : {sets.resource, sets.scope, sets.sample})
            for (const AttributeId id : m_snapshot.attributesOf(set))
                m_labels[context] += attributeLabel(m_snapshot.attributes[id.value]);
    }
    return m_labels[context];
}

std::string PprofWriter::attributeLabel(const Attribute &attribute)
{
    std::string label;
    WireWriter writer(label);
    writer.number(LabelField::Key, attribute.key.value);
    if (attribute.type == AttributeType::Int) {
        writer.number(LabelField::Number, attribute.bits);
        writer.number(LabelField::NumberUnit, attribute.unit.value);
    } else if (attribute.type == AttributeType::String) {
        writer.number(LabelField::Text, attribute.text().value);
    } else {
        writer.number(LabelField::Text, stringIndex(printAttribute(m_snapshot, attribute)));
    }
    std::string field;
    WireWriter(field).bytes(SampleField::Label, label);
    return field;
}

std::string PprofWriter::numberLabel(std::string_view key, std::uint64_t number)
{
    std::string label;
    WireWriter writer(label);
    writer.number(LabelField::Key, stringIndex(key));
    writer.number(LabelField::Number, number);
    std::string field;
    WireWriter(field).bytes(SampleField::Label, label);
    return field;
}

std::string PprofWriter::textLabel(std::string_view key, std::string_view text)
{
    std::string label;
    WireWriter writer(label);
    writer.number(LabelField::Key, stringIndex(key));
    writer.number(LabelField::Text, stringIndex(text));
    std::string field;
    WireWriter(field).bytes(SampleField::Label, label);
    return field;
}

void PprofWriter::writeMappings()
{
    for (std::size_t i = 0; i < m_snapshot.mappings.size(); ++i) {
        const Mapping &mapping = m_snapshot.mappings[i];
        const Binary &binary = m_snapshot.binaries[mapping.binary.value];
        std::string payload;
        WireWriter writer(payload);
        writer.number(MappingField::Id, i + 1);
        writer.number(MappingField::MemoryStart, mapping.start);
        writer.number(MappingField::MemoryLimit, mapping.limit);
        writer.number(MappingField::FileOffset, mapping.offset);
        writer.number(MappingField::Filename, binary.path.value);
        writer.number(MappingField::BuildId, binary.buildId.value);
        writer.number(MappingField::HasFunctions, (mapping.flags & kHasFunctions) != 0);
        writer.number(MappingField::HasFilenames, (mapping.flags & kHasFilenames) != 0);
        writer.number(MappingField::HasLineNumbers, (mapping.flags & kHasLineNumbers) != 0);
        writer.number(MappingField::HasInlineFrames, (mapping.flags & kHasInlineFrames) != 0);
        message(ProfileField::Mapping, payload);
    }
}

void PprofWriter::writeLocations()
{
    for (std::size_t i = 0; i < m_snapshot.frames.size(); ++i) {
        const Frame &frame = m_snapshot.frames[i];
        std::string payload;
        WireWriter writer(payload);
        writer.number(LocationField::Id, i + 1);
        std::uint64_t address = frame.address;
        if (!frame.mapping.isNone()) {
            writer.number(LocationField::MappingId, frame.mapping.value + std::uint64_t(1));
            address = m_snapshot.mappings[frame.mapping.value].memoryAddress(address);
        }
        writer.number(LocationField::Address, address);
        for (const Line &line : m_snapshot.linesOf(FrameId(i))) {
            std::string lineText;
            WireWriter lineWriter(lineText);
            if (!line.function.isNone())
                lineWriter.number(LineField::FunctionId, line.function.value + std::uint64_t(1));
            lineWriter.number(LineField::Line, static_cast<std::uint64_t>(line.line));
            lineWriter.number(LineField::Column, static_cast<std::uint64_t>(line.column));
            writer.bytes(LocationField::Line, lineText);
        }
        writer.number(LocationField::IsFolded, frame.isFolded);
        message(ProfileField::Location, payload);
    }
}

void PprofWriter::writeFunctions()
{
    for (std::size_t i = 0; i < m_snapshot.functions.size(); ++i) {
        const Function &function = m_snapshot.functions[i];
        std::string payload;
        WireWriter writer(payload);
        writer.number(FunctionField::Id, i + 1);
        writer.number(FunctionField::Name, function.name.value);
        writer.number(FunctionField::SystemName, function.systemName.value);
        writer.number(FunctionField::Filename, function.file.value);
        writer.number(FunctionField::StartLine, static_cast<std::uint64_t>(function.startLine));
        message(ProfileField::Function, payload);
    }
}

void PprofWriter::writeOrigins()
{
    const Origin origin = mergedOrigin(m_snapshot);
    m_profile.number(ProfileField::DropFrames, stringIndex(origin.dropFrames));
    m_profile.number(ProfileField::KeepFrames, stringIndex(origin.keepFrames));
    m_profile.number(ProfileField::TimeNanos, static_cast<std::uint64_t>(origin.timeNs));
    m_profile.number(ProfileField::DurationNanos, static_cast<std::uint64_t>(origin.durationNs));
    if (!m_snapshot.tables.empty()) {
        const SampleTable &table = m_snapshot.tables.front();
        if (const std::string period = valueType(table.periodType, table.periodUnit); !period.empty())
            message(ProfileField::PeriodType, period);
        m_profile.number(ProfileField::Period, static_cast<std::uint64_t>(table.period));
    }
    std::string packed;
    for (const std::string &comment : origin.comments)
        WireWriter(packed).varint(stringIndex(comment));
    if (!packed.empty())
        message(ProfileField::Comment, packed);
    m_profile.number(ProfileField::DefaultSampleType, stringIndex(origin.defaultSeries));
    m_profile.number(ProfileField::DocUrl, stringIndex(origin.docUrl));
}

/// The index of a text that is not known to be in the snapshot's table; it follows behind that table.
std::uint64_t PprofWriter::stringIndex(std::string_view text)
{
    if (text.empty())
        return 0;
    const auto known = m_newStrings.find(text);
    if (known != m_newStrings.end())
        return known->second;
    const auto added = m_newStrings.emplace(text, m_snapshot.strings.size() + m_newStrings.size()).first;
    m_newOrder.push_back(added->first);
    return added->second;
}

void PprofWriter::writeStrings()
{
    for (std::size_t i = 0; i < m_snapshot.strings.size(); ++i)
        message(ProfileField::StringTable, m_snapshot.text(StringId(i)));
    for (const std::string_view text : m_newOrder)
        message(ProfileField::StringTable, text);
}

} // namespace

Result<std::string> pprofMessage(const Snapshot &snapshot)
{
    return PprofWriter(snapshot).write();
}

} // namespace hearth
