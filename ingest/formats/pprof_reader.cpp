#include "ingest/bytes/wire.h"
#include "ingest/formats/format.h"
#include "ingest/formats/id_map.h"
#include "ingest/formats/pprof_samples.h"
#include "ingest/formats/pprof_wire.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace hearth {

namespace {

using Bytes = std::span<const std::uint8_t>;
using pprof::FunctionField;
using pprof::LineField;
using pprof::LocationField;
using pprof::MappingField;
using pprof::ProfileField;
using pprof::SampleDecoder;
using pprof::ValueTypeField;

constexpr std::size_t kLargestField = std::size_t(64) << 20;

struct ValueType {
    StringId type;
    StringId unit;
};

/// Reads one Profile message as it streams past, in whatever order its fields come. References are kept as
/// numbers until everything has been seen.
class PprofReader {
public:
    PprofReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_options(options), m_samples(m_batch)
    {}

    Result<Batch> read();

private:
    bool readFields();
    bool readFieldAcrossBlocks();
    bool skipOversized(const WireField &field, std::uint64_t length);
    bool checkLimits();
    void take(const WireField &field);
    void takeNumber(ProfileField number, std::uint64_t value);
    void takeString(std::string_view text);
    std::optional<ValueType> readValueType(Bytes message);
    void takeSampleType(Bytes message);
    void takeMapping(Bytes message);
    void takeLocation(Bytes message);
    Line readLine(Bytes message);
    void takeFunction(Bytes message);

    Result<Batch> finish();
    void resolveStrings();
    void resolveFrames();
    std::string textAt(StringId index);
    void fix(StringId &index);

    template <class Row>
    Row *define(std::vector<Row> &rows, std::vector<bool> &defined, std::uint32_t number);

    InputStream &m_input;
    const ReadOptions &m_options;
    Batch m_batch;
    SampleDecoder m_samples;

    std::vector<ValueType> m_sampleTypes;
    ValueType m_periodType;
    std::int64_t m_period = 0;
    StringId m_dropFrames, m_keepFrames, m_defaultSampleType, m_docUrl;
    std::vector<StringId> m_comments;
    std::size_t m_stringCount = 0;

    IdMap m_mappingIds;
    IdMap m_functionIds;
    std::vector<bool> m_mappingDefined;
    std::vector<bool> m_functionDefined;
    std::vector<bool> m_locationDefined;

    std::size_t m_fieldsUntilCheck = 0;
    std::optional<std::string> m_refusal; ///< why this is no profile, or one that cannot be read at all
    bool m_hasEnded = false;
};

Result<Batch> PprofReader::read()
{
    while (!m_refusal && !m_hasEnded && readFields()) {
    }
    if (const auto fault = m_input.fault())
        m_batch.losses.add(fault->loss, fault->message);
    if (m_refusal)
        return failure(*m_refusal);
    return finish();
}

/// Reads the fields that are wholly in the window, then goes on to the next block.
bool PprofReader::readFields()
{
    const Bytes window = m_input.window();
    const std::uint8_t *at = window.data();
    const std::uint8_t *const end = at + window.size();
    const std::uint8_t *consumed = at;
    while (at != end && !m_refusal && !m_hasEnded) {
        WireField field;
        std::uint64_t length = 0;
        const WireOutcome outcome = readFieldHead(at, end, field, length);
        if (outcome == WireOutcome::Malformed) {
            m_samples.flush();
            m_input.consume(static_cast<std::size_t>(consumed - window.data()));
            m_batch.losses.add(Loss::DamagedInput,
                               "no valid field at byte " + std::to_string(m_input.position()));
            return false;
        }
        if (outcome == WireOutcome::Incomplete || length > static_cast<std::uint64_t>(end - at))
            break;
        field.bytes = {at, static_cast<std::size_t>(length)};
        at += length;
        consumed = at;
        take(field);
        if (m_fieldsUntilCheck-- == 0 && !checkLimits())
            break;
    }
    m_samples.flush(); // the window moves
    m_input.consume(static_cast<std::size_t>(consumed - window.data()));
    return !m_refusal && !m_hasEnded && readFieldAcrossBlocks();
}

/// Makes the window long enough for the field that it begins with. @return false at the end of the input
bool PprofReader::readFieldAcrossBlocks()
{
    const Bytes window = m_input.window();
    const std::uint8_t *at = window.data();
    WireField field;
    std::uint64_t length = 0;
    const bool hasHead =
        !window.empty() && readFieldHead(at, at + window.size(), field, length) == WireOutcome::Ok;
    if (hasHead && length > kLargestField) {
        m_input.consume(static_cast<std::size_t>(at - window.data()));
        return skipOversized(field, length);
    }
    const std::size_t wanted =
        hasHead ? static_cast<std::size_t>(at - window.data()) + length : window.size() + 1;
    if (m_input.ensure(wanted))
        return true;
    if (!window.empty() && !m_input.fault())
        m_batch.losses.add(Loss::TruncatedInput,
                           "the profile ends within a field, at byte " +
                               std::to_string(m_input.position() + m_input.window().size()));
    return false;
}

bool PprofReader::skipOversized(const WireField &field, std::uint64_t length)
{
    m_batch.losses.add(Loss::OversizedFields, "field " + std::to_string(field.number) + " of " +
                                                  std::to_string(length) + " bytes at byte " +
                                                  std::to_string(m_input.position()));
    if (static_cast<ProfileField>(field.number) == ProfileField::StringTable)
        takeString("[text of " + std::to_string(length) + " bytes]"); // later strings keep their index
    while (length > 0) {
        const std::size_t part =
            static_cast<std::size_t>(std::min<std::uint64_t>(length, m_input.window().size()));
        m_input.consume(part);
        length -= part;
        if (length > 0 && !m_input.extend()) {
            if (!m_input.fault())
                m_batch.losses.add(Loss::TruncatedInput, "the profile ends within an oversized field");
            return false;
        }
    }
    return true;
}

/// Looks after what need not be looked after with every field.
bool PprofReader::checkLimits()
{
    m_fieldsUntilCheck = 4096;
    if (m_options.stop.stop_requested()) {
        m_refusal = m_options.name + ": cancelled";
        return false;
    }
    if (m_options.progress)
        m_options.progress(m_input.position());
    const std::size_t bytes =
        m_samples.bytes() + m_batch.arena.bytes() + m_batch.strings.capacity() * sizeof(std::string_view) +
        m_batch.functions.capacity() * sizeof(Function) + m_batch.lines.capacity() * sizeof(Line) +
        m_batch.frames.capacity() * sizeof(Frame) + m_batch.mappings.capacity() * sizeof(Mapping);
    if (bytes <= m_options.memoryBudget)
        return true;
    m_batch.losses.add(Loss::SamplesOverBudget,
                       "memory budget of " + std::to_string(m_options.memoryBudget >> 20) +
                           " MiB reached at byte " + std::to_string(m_input.position()) +
                           "; the rest was not read");
    m_hasEnded = true;
    return false;
}

void PprofReader::take(const WireField &field)
{
    const auto number = static_cast<ProfileField>(field.number);
    if (field.isVarint() && number != ProfileField::Comment)
        return takeNumber(number, field.number64);
    if (number == ProfileField::Comment) {
        if (!forEachVarint(field, [this](std::uint64_t index) {
                m_comments.push_back(SampleDecoder::stringIndex(index));
            }))
            m_batch.losses.add(Loss::MalformedRecords);
        return;
    }
    if (!field.isBytes()) {
        m_batch.losses.add(Loss::UnknownFields);
        return;
    }
    switch (number) {
    case ProfileField::Sample:
        return m_samples.decode(field.bytes);
    case ProfileField::Location:
        return takeLocation(field.bytes);
    case ProfileField::Function:
        return takeFunction(field.bytes);
    case ProfileField::StringTable:
        return takeString(field.text());
    case ProfileField::Mapping:
        return takeMapping(field.bytes);
    case ProfileField::SampleType:
        return takeSampleType(field.bytes);
    case ProfileField::PeriodType:
        m_periodType = readValueType(field.bytes).value_or(ValueType());
        return;
    default:
        m_batch.losses.add(Loss::UnknownFields);
    }
}

void PprofReader::takeNumber(ProfileField number, std::uint64_t value)
{
    switch (number) {
    case ProfileField::DropFrames:
        m_dropFrames = SampleDecoder::stringIndex(value);
        return;
    case ProfileField::KeepFrames:
        m_keepFrames = SampleDecoder::stringIndex(value);
        return;
    case ProfileField::DefaultSampleType:
        m_defaultSampleType = SampleDecoder::stringIndex(value);
        return;
    case ProfileField::DocUrl:
        m_docUrl = SampleDecoder::stringIndex(value);
        return;
    case ProfileField::DurationNanos:
        m_batch.origin.durationNs = static_cast<std::int64_t>(value);
        return;
    case ProfileField::Period:
        m_period = static_cast<std::int64_t>(value);
        return;
    case ProfileField::TimeNanos:
        if (m_batch.origin.timeNs != 0)
            m_refusal = m_options.name + ": two profiles in one file; separate them, then open both";
        m_batch.origin.timeNs = static_cast<std::int64_t>(value);
        return;
    default:
        m_batch.losses.add(Loss::UnknownFields);
    }
}

void PprofReader::takeString(std::string_view text)
{
    if (m_stringCount++ > 0) {
        m_batch.addString(text);
    } else if (!text.empty()) {
        m_refusal = m_options.name +
                    ": not a valid pprof profile: its string table does not begin with an empty string";
    }
}

std::optional<ValueType> PprofReader::readValueType(Bytes message)
{
    ValueType type;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        switch (static_cast<ValueTypeField>(field.number)) {
        case ValueTypeField::Type:
            type.type = SampleDecoder::stringIndex(field.number64);
            break;
        case ValueTypeField::Unit:
            type.unit = SampleDecoder::stringIndex(field.number64);
            break;
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    if (reader.isOk())
        return type;
    m_batch.losses.add(Loss::MalformedRecords);
    return std::nullopt;
}

void PprofReader::takeSampleType(Bytes message)
{
    if (const auto type = readValueType(message))
        m_sampleTypes.push_back(*type);
    m_samples.setValueColumns(m_sampleTypes.size());
}

/// @return the row to fill for an id, null if the id is taken already
template <class Row>
Row *PprofReader::define(std::vector<Row> &rows, std::vector<bool> &defined, std::uint32_t number)
{
    if (number >= rows.size()) {
        rows.resize(number + 1);
        defined.resize(number + 1);
    }
    if (defined[number]) {
        m_batch.losses.add(Loss::DuplicateIds);
        return nullptr;
    }
    defined[number] = true;
    return &rows[number];
}

void PprofReader::takeMapping(Bytes message)
{
    Mapping mapping;
    Binary binary;
    std::uint64_t id = 0;
    const auto setFlag = [&](const WireField &field, MappingFlags flag) {
        if (field.number64 != 0)
            mapping.flags |= flag;
    };
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        switch (static_cast<MappingField>(field.number)) {
        case MappingField::Id:
            id = field.number64;
            break;
        case MappingField::MemoryStart:
            mapping.start = field.number64;
            break;
        case MappingField::MemoryLimit:
            mapping.limit = field.number64;
            break;
        case MappingField::FileOffset:
            mapping.offset = field.number64;
            break;
        case MappingField::Filename:
            binary.path = SampleDecoder::stringIndex(field.number64);
            break;
        case MappingField::BuildId:
            binary.buildId = SampleDecoder::stringIndex(field.number64);
            break;
        case MappingField::HasFunctions:
            setFlag(field, kHasFunctions);
            break;
        case MappingField::HasFilenames:
            setFlag(field, kHasFilenames);
            break;
        case MappingField::HasLineNumbers:
            setFlag(field, kHasLineNumbers);
            break;
        case MappingField::HasInlineFrames:
            setFlag(field, kHasInlineFrames);
            break;
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    if (!reader.isOk() || id == 0) {
        m_batch.losses.add(Loss::MalformedRecords);
        return;
    }
    if (Mapping *row = define(m_batch.mappings, m_mappingDefined, m_mappingIds.numberOf(id))) {
        mapping.binary = BinaryId(m_batch.binaries.size());
        m_batch.binaries.push_back(binary);
        *row = mapping;
    }
}

/// Locations become frames of the same number, so stacks need no change. Address and mapping are as written
/// until the mappings are known.
void PprofReader::takeLocation(Bytes message)
{
    Frame frame;
    frame.lineBegin = static_cast<std::uint32_t>(m_batch.lines.size());
    std::uint64_t id = 0;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        switch (static_cast<LocationField>(field.number)) {
        case LocationField::Id:
            id = field.number64;
            break;
        case LocationField::MappingId:
            if (field.number64 != 0)
                frame.mapping = MappingId(m_mappingIds.numberOf(field.number64));
            break;
        case LocationField::Address:
            frame.address = field.number64;
            break;
        case LocationField::Line:
            m_batch.lines.push_back(readLine(field.bytes));
            break;
        case LocationField::IsFolded:
            frame.isFolded = field.number64 != 0;
            break;
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    frame.lineCount = (static_cast<std::uint32_t>(m_batch.lines.size()) - frame.lineBegin) & 0x7fffffffU;
    if (!reader.isOk() || id == 0) {
        m_batch.losses.add(Loss::MalformedRecords);
        return;
    }
    if (Frame *row = define(m_batch.frames, m_locationDefined, m_samples.locations().numberOf(id)))
        *row = frame;
}

Line PprofReader::readLine(Bytes message)
{
    Line line;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        switch (static_cast<LineField>(field.number)) {
        case LineField::FunctionId:
            if (field.number64 != 0)
                line.function = FunctionId(m_functionIds.numberOf(field.number64));
            break;
        case LineField::Line:
            line.line = static_cast<std::int64_t>(field.number64);
            break;
        case LineField::Column: {
            const auto column = static_cast<std::int64_t>(field.number64);
            line.column = static_cast<std::int32_t>(
                std::clamp<std::int64_t>(column, 0, std::numeric_limits<std::int32_t>::max()));
            if (line.column != column)
                m_batch.losses.add(Loss::RoundedValues, "column " + std::to_string(column));
            break;
        }
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    if (!reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords);
    return line;
}

void PprofReader::takeFunction(Bytes message)
{
    Function function;
    std::uint64_t id = 0;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        switch (static_cast<FunctionField>(field.number)) {
        case FunctionField::Id:
            id = field.number64;
            break;
        case FunctionField::Name:
            function.name = SampleDecoder::stringIndex(field.number64);
            break;
        case FunctionField::SystemName:
            function.systemName = SampleDecoder::stringIndex(field.number64);
            break;
        case FunctionField::Filename:
            function.file = SampleDecoder::stringIndex(field.number64);
            break;
        case FunctionField::StartLine:
            function.startLine = static_cast<std::int64_t>(field.number64);
            break;
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    if (!reader.isOk() || id == 0) {
        m_batch.losses.add(Loss::MalformedRecords);
        return;
    }
    if (Function *row = define(m_batch.functions, m_functionDefined, m_functionIds.numberOf(id)))
        *row = function;
}

Result<Batch> PprofReader::finish()
{
    const bool isCut = m_batch.losses.any();
    if (m_sampleTypes.empty())
        return failure(m_options.name +
                       (isCut ? ": nothing could be read: " + (m_batch.losses.details().empty()
                                                                   ? std::string("damaged input")
                                                                   : m_batch.losses.details().front())
                              : ": not a valid pprof profile: it has no sample types"));
    SampleBlock block;
    const std::size_t columns = m_samples.valueColumns();
    block.chunks = m_samples.finish();
    if (columns != m_sampleTypes.size() && !block.chunks.empty()) {
        std::uint64_t count = 0;
        for (const SampleChunk &chunk : block.chunks)
            count += chunk.rows();
        m_batch.losses.add(Loss::SamplesWithWrongValueCount, count);
        block.chunks.clear();
    }
    resolveStrings();
    resolveFrames();
    for (const ValueType &type : m_sampleTypes)
        block.series.push_back({type.type, type.unit});
    block.periodType = m_periodType.type;
    block.periodUnit = m_periodType.unit;
    block.period = m_period;
    m_batch.blocks.push_back(std::move(block));
    return std::move(m_batch);
}

void PprofReader::fix(StringId &index)
{
    if (index.value < m_batch.strings.size())
        return;
    index = StringId();
    m_batch.losses.add(Loss::UnknownReferences);
}

std::string PprofReader::textAt(StringId index)
{
    fix(index);
    return std::string(m_batch.strings[index.value]);
}

void PprofReader::resolveStrings()
{
    for (Function &function : m_batch.functions) {
        fix(function.name);
        fix(function.systemName);
        fix(function.file);
    }
    for (Binary &binary : m_batch.binaries) {
        fix(binary.path);
        fix(binary.buildId);
    }
    for (Attribute &attribute : m_batch.attributes) {
        fix(attribute.key);
        fix(attribute.unit);
        if (attribute.hasText()) {
            StringId text = attribute.text();
            fix(text);
            attribute.bits = text.value;
        }
    }
    for (ValueType &type : m_sampleTypes) {
        fix(type.type);
        fix(type.unit);
    }
    fix(m_periodType.type);
    fix(m_periodType.unit);
    Origin &origin = m_batch.origin;
    origin.name = m_options.name;
    origin.format = kPprof.name;
    origin.dropFrames = textAt(m_dropFrames);
    origin.keepFrames = textAt(m_keepFrames);
    origin.defaultSeries = textAt(m_defaultSampleType);
    origin.docUrl = textAt(m_docUrl);
    for (const StringId comment : m_comments)
        origin.comments.push_back(textAt(comment));
}

void PprofReader::resolveFrames()
{
    for (Line &line : m_batch.lines)
        if (!line.function.isNone() &&
            (line.function.value >= m_functionDefined.size() || !m_functionDefined[line.function.value])) {
            line.function = FunctionId::none();
            m_batch.losses.add(Loss::UnknownReferences);
        }
    m_batch.frames.resize(m_samples.locations().size());
    m_locationDefined.resize(m_batch.frames.size());
    m_batch.losses.add(Loss::FramesWithoutLocation,
                       static_cast<std::uint64_t>(std::ranges::count(m_locationDefined, false)));
    for (Frame &frame : m_batch.frames) {
        if (frame.mapping.isNone())
            continue;
        if (frame.mapping.value < m_mappingDefined.size() && m_mappingDefined[frame.mapping.value]) {
            frame.address = m_batch.mappings[frame.mapping.value].fileAddress(frame.address);
        } else {
            frame.mapping = MappingId::none();
            m_batch.losses.add(Loss::UnknownReferences);
        }
    }
}

Result<Batch> readPprof(InputStream &input, const ReadOptions &options)
{
    return PprofReader(input, options).read();
}

} // namespace

const Format kPprof{.name = "pprof", .read = readPprof};

} // namespace hearth
