#include "ingest/otlp/profiles.h"

#include "ingest/formats/digest_map.h"
#include "ingest/otlp/attributes.h"
#include "ingest/otlp/dictionary.h"
#include "ingest/otlp/envelope.h"
#include "ingest/otlp/profile_keys.h"
#include "ingest/otlp/sample_blocks.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

namespace hearth::otlp {

namespace {

/// Decodes one message. What a profile needs of what is around it is a member.
class ProfilesDecoder {
public:
    ProfilesDecoder(Bytes message, const Layout &layout, Batch &batch)
        : m_message(message), m_layout(layout), m_batch(batch), m_attributeReader(batch), m_blocks(batch)
    {}

    DecodedProfiles run();

private:
    struct ValueType {
        StringId type;
        StringId unit;
    };
    /// The fields of a profile that come before, between or behind its samples.
    struct Header {
        std::vector<ValueType> types;
        ValueType periodType;
        std::int64_t period = 0;
        std::int64_t time = 0;
        std::int64_t duration = 0;
        std::uint64_t defaultType = 0;
        std::vector<Attribute> attributes;
        std::vector<Bytes> samples;
        std::vector<std::uint64_t> locations;
    };
    /// What a sample refers to and measured.
    struct Sample {
        StackId stack;
        LinkId link;
        std::uint64_t locationsBegin = 0;
        std::uint64_t locationsCount = 0;
        std::vector<std::uint64_t> locations;
        std::vector<std::uint32_t> attributes; ///< indices of the attribute table
        std::vector<Attribute> labels;
        std::vector<std::int64_t> values;
        std::vector<std::int64_t> times;

        void clear();
    };

    void decodeResource(Bytes resource);
    void decodeScope(Bytes scopeProfiles);
    void takeScopeAttribute(const Attribute &attribute);
    void decodeContainer(Bytes container);
    void decodeProfile(Bytes profile, Header header);
    bool readHeader(Bytes profile, Header &header);
    void countPayload(const WireField &field);
    void readHeaderNumber(ProfileRole role, const WireField &field, Header &header);
    void takeProfileAttribute(const Attribute &attribute, Header &header);
    ValueType readValueType(Bytes message);
    void describe(const Header &header);

    bool readSample(Bytes message);
    bool readTimes(const WireField &field);
    bool findStack(const Header &header);
    Attribute readLabel(Bytes message);
    ContextId contextOf(const Sample &sample);
    ContextId addContext(AttributeSetId sample);
    void addRows(const Header &header, SampleRows &timed, SampleRows &untimed);
    static SampleBlock blockOf(const Header &header, bool hasTimes);

    Bytes m_message;
    const Layout &m_layout;
    Batch &m_batch;
    AttributeReader m_attributeReader;
    std::optional<Dictionary> m_dictionary;
    SampleBlocks m_blocks;
    DecodedProfiles m_result;

    AttributeSetId m_resource;
    AttributeSetId m_scope; ///< with the attributes of the profile at hand
    std::vector<Attribute> m_scopeAttributes;
    std::vector<Attribute> m_around; ///< that m_scope was made of
    DigestMap m_contextOfAttributes; ///< of samples in m_scope
    DigestMap m_stackOfRange;
    Sample m_sample;
};

void ProfilesDecoder::Sample::clear()
{
    stack = {};
    link = {};
    locationsBegin = locationsCount = 0;
    locations.clear();
    attributes.clear();
    labels.clear();
    values.clear();
    times.clear();
}

template <class T>
std::span<const std::uint8_t> bytesOf(const std::vector<T> &values)
{
    return {reinterpret_cast<const std::uint8_t *>(values.data()), values.size() * sizeof(T)};
}

std::int64_t endOf(std::int64_t time, std::int64_t duration)
{
    std::int64_t end = 0;
    return __builtin_add_overflow(time, std::max<std::int64_t>(duration, 0), &end)
               ? std::numeric_limits<std::int64_t>::max()
               : end;
}

std::int64_t durationOf(std::int64_t begin, std::int64_t end)
{
    std::int64_t duration = 0;
    if (end <= begin)
        return 0;
    return __builtin_sub_overflow(end, begin, &duration) ? std::numeric_limits<std::int64_t>::max()
                                                         : duration;
}

DecodedProfiles ProfilesDecoder::run()
{
    const Envelope envelope(m_message);
    if (envelope.readable < m_message.size())
        m_batch.losses.add(Loss::DamagedInput, "no valid field at byte " + std::to_string(envelope.readable));
    if (m_layout.tablePlace != TablePlace::InProfile) {
        m_dictionary.emplace(m_batch, m_attributeReader, m_layout);
        if (m_layout.tablePlace == TablePlace::InData)
            m_dictionary->addTables(m_message);
        for (const Bytes part : envelope.dictionaryParts)
            if (m_layout.tablePlace == TablePlace::InDictionary)
                m_dictionary->addTables(part);
        m_dictionary->finish();
    }
    for (const Bytes resource : envelope.resources)
        decodeResource(resource);
    m_blocks.flush();
    return m_result;
}

void ProfilesDecoder::decodeResource(Bytes resource)
{
    std::vector<Bytes> scopes;
    std::vector<Attribute> attributes;
    const auto readResource = [&](Bytes message) {
        WireReader reader(message);
        WireField field;
        while (reader.next(field))
            if (field.number == kResourceAttributes && field.isBytes())
                attributes.push_back(m_attributeReader.keyValue(field.bytes));
            else if (field.number == kResourceDropped && field.isVarint())
                m_batch.losses.add(Loss::DroppedBySender, field.number64);
        return reader.isOk();
    };
    bool isWhole = true;
    WireReader reader(resource);
    WireField field;
    while (reader.next(field)) {
        if (field.number == field::kResourceResource && field.isBytes())
            isWhole &= readResource(field.bytes);
        else if (field.number == field::kResourceScope && field.isBytes())
            scopes.push_back(field.bytes);
        else if (field.number == field::kSchemaUrl && field.isBytes() && !field.bytes.empty())
            attributes.push_back(m_attributeReader.text(kResourceSchemaKey, field.text()));
    }
    m_resource = m_attributeReader.addSet(attributes);
    if (!isWhole || !reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords,
                           "a resource's profiles are damaged; what follows is missing");
    for (const Bytes scope : scopes)
        decodeScope(scope);
}

void ProfilesDecoder::decodeScope(Bytes scopeProfiles)
{
    std::vector<Bytes> profiles;
    m_blocks.flush();
    m_scopeAttributes.clear();
    m_around.clear();
    m_scope = {};
    m_contextOfAttributes = {};
    const auto addText = [this](std::string_view key, std::string_view text) {
        m_scopeAttributes.push_back(m_attributeReader.text(key, text));
    };
    const auto readScope = [&](Bytes scope) {
        WireReader reader(scope);
        WireField field;
        while (reader.next(field)) {
            if (field.number == kScopeDropped && field.isVarint())
                m_batch.losses.add(Loss::DroppedBySender, field.number64);
            if (!field.isBytes() || field.bytes.empty())
                continue;
            if (field.number == kScopeName)
                addText(kScopeNameKey, field.text());
            else if (field.number == kScopeVersion)
                addText(kScopeVersionKey, field.text());
            else if (field.number == kScopeAttributes)
                takeScopeAttribute(m_attributeReader.keyValue(field.bytes));
        }
    };
    WireReader reader(scopeProfiles);
    WireField field;
    while (reader.next(field)) {
        if (field.number == field::kScopeScope && field.isBytes())
            readScope(field.bytes);
        else if (field.number == field::kScopeProfile && field.isBytes())
            profiles.push_back(field.bytes);
        else if (field.number == field::kSchemaUrl && field.isBytes() && !field.bytes.empty())
            addText(kScopeSchemaKey, field.text());
    }
    if (!reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords, "a scope's profiles are damaged; what follows is missing");
    for (const Bytes profile : profiles)
        m_layout.hasContainer ? decodeContainer(profile) : decodeProfile(profile, {});
}

void ProfilesDecoder::takeScopeAttribute(const Attribute &attribute)
{
    if (attribute.type == AttributeType::String &&
        m_batch.strings[attribute.key.value] == kDefaultSampleTypeKey)
        m_batch.origin.defaultSeries = m_batch.strings[attribute.text().value];
    else
        m_scopeAttributes.push_back(attribute);
}

void ProfilesDecoder::decodeContainer(Bytes container)
{
    Header header;
    Bytes profile;
    std::int64_t end = 0;
    WireReader reader(container);
    WireField field;
    while (reader.next(field)) {
        switch (field.number) {
        case field::kContainerStart:
            header.time = static_cast<std::int64_t>(field.number64);
            break;
        case field::kContainerEnd:
            end = static_cast<std::int64_t>(field.number64);
            break;
        case field::kContainerAttribute:
            takeProfileAttribute(m_attributeReader.keyValue(field.bytes), header);
            break;
        case field::kContainerDropped:
            m_batch.losses.add(Loss::DroppedBySender, field.number64);
            break;
        case field::kContainerPayload:
            countPayload(field);
            break;
        case field::kContainerProfile:
            profile = field.bytes;
            break;
        default:
            break; // its id, and the format of the payload
        }
    }
    header.duration = durationOf(header.time, end);
    if (!reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords, "a profile's container is damaged");
    decodeProfile(profile, std::move(header));
}

void ProfilesDecoder::decodeProfile(Bytes profile, Header header)
{
    if (!readHeader(profile, header)) {
        ++m_result.rejected;
        m_batch.losses.add(Loss::MalformedRecords, "a profile is damaged");
        return;
    }
    ++m_result.accepted;
    describe(header);
    // What attributes of a profile say holds for all of its samples.
    std::vector<Attribute> around = m_scopeAttributes;
    around.insert(around.end(), header.attributes.begin(), header.attributes.end());
    if (around != m_around || m_layout.tablePlace == TablePlace::InProfile) {
        m_scope = m_attributeReader.addSet(around);
        m_contextOfAttributes = {};
        m_around = std::move(around);
    }
    m_stackOfRange = {};
    SampleRows timed(header.types.size());
    SampleRows untimed(header.types.size());
    for (const Bytes message : header.samples) {
        if (!readSample(message) || !findStack(header))
            continue;
        addRows(header, timed, untimed);
    }
    m_blocks.add(blockOf(header, true), std::move(timed));
    m_blocks.add(blockOf(header, false), std::move(untimed));
}

/// Reads all but the samples. Where tables stand in the profile, they are read first: what else it has refers
/// to them.
bool ProfilesDecoder::readHeader(Bytes profile, Header &header)
{
    if (m_layout.tablePlace == TablePlace::InProfile) {
        m_dictionary.emplace(m_batch, m_attributeReader, m_layout);
        m_dictionary->addTables(profile);
        m_dictionary->finish();
    }
    bool isWhole = true;
    isWhole &= forEachField(profile, m_layout.profile, [&](ProfileRole role, const WireField &field) {
        switch (role) {
        case ProfileRole::SampleType:
            header.types.push_back(readValueType(field.bytes));
            break;
        case ProfileRole::Sample:
            header.samples.push_back(field.bytes);
            break;
        case ProfileRole::PeriodType:
            header.periodType = readValueType(field.bytes);
            break;
        case ProfileRole::LocationIndices:
            isWhole &= forEachVarint(field, [&](std::uint64_t index) { header.locations.push_back(index); });
            break;
        case ProfileRole::Comments:
            isWhole &= forEachVarint(field, [&](std::uint64_t index) {
                m_batch.origin.comments.emplace_back(m_batch.strings[m_dictionary->string(index).value]);
            });
            break;
        case ProfileRole::Attributes:
            isWhole &= forEachVarint(field, [&](std::uint64_t index) {
                if (const Attribute *attribute = m_dictionary->attribute(index))
                    takeProfileAttribute(*attribute, header);
            });
            break;
        case ProfileRole::OwnAttributes:
            takeProfileAttribute(m_attributeReader.keyValue(field.bytes), header);
            break;
        case ProfileRole::Unknown:
            m_batch.losses.add(Loss::UnknownFields);
            break;
        default:
            readHeaderNumber(role, field, header);
        }
    });
    if (header.types.empty())
        header.types.emplace_back();
    return isWhole;
}

void ProfilesDecoder::countPayload(const WireField &field)
{
    if (!field.bytes.empty())
        m_batch.losses.add(Loss::OriginalPayloads);
}

void ProfilesDecoder::readHeaderNumber(ProfileRole role, const WireField &field, Header &header)
{
    const auto number = static_cast<std::int64_t>(field.number64);
    const auto text = [&] {
        return std::string(m_batch.strings[m_dictionary->string(field.number64).value]);
    };
    if (role == ProfileRole::Payload)
        return countPayload(field);
    if (role != ProfileRole::Table && role != ProfileRole::Ignored && field.isBytes()) {
        m_batch.losses.add(Loss::MalformedRecords, "a number of a profile is written as a message");
        return;
    }
    switch (role) {
    case ProfileRole::Dropped:
        m_batch.losses.add(Loss::DroppedBySender, field.number64);
        break;
    case ProfileRole::Time:
        header.time = number;
        break;
    case ProfileRole::Duration:
        header.duration = number;
        break;
    case ProfileRole::Period:
        header.period = number;
        break;
    case ProfileRole::DefaultSampleType:
        header.defaultType = field.number64;
        break;
    case ProfileRole::DropFrames:
        m_batch.origin.dropFrames = text();
        break;
    case ProfileRole::KeepFrames:
        m_batch.origin.keepFrames = text();
        break;
    default:
        break;
    }
}

/// Some attributes of a profile are what other formats have fields for.
void ProfilesDecoder::takeProfileAttribute(const Attribute &attribute, Header &header)
{
    const std::string_view key = m_batch.strings[attribute.key.value];
    const std::string text =
        attribute.hasText() ? std::string(m_batch.strings[attribute.text().value]) : std::string();
    if (key == kDropFramesKey)
        m_batch.origin.dropFrames = text;
    else if (key == kKeepFramesKey)
        m_batch.origin.keepFrames = text;
    else if (key == kDocUrlKey)
        m_batch.origin.docUrl = text;
    else if (key.starts_with(kCommentKey))
        m_batch.origin.comments.push_back(text);
    else
        header.attributes.push_back(attribute);
}

ProfilesDecoder::ValueType ProfilesDecoder::readValueType(Bytes message)
{
    ValueType type;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        if (field.number == field::kValueTypeType && field.isVarint())
            type.type = m_dictionary->string(field.number64);
        else if (field.number == field::kValueTypeUnit && field.isVarint())
            type.unit = m_dictionary->string(field.number64);
    }
    if (!reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords, "a sample type is damaged");
    return type;
}

/// The origin spans all profiles of the message.
void ProfilesDecoder::describe(const Header &header)
{
    Origin &origin = m_batch.origin;
    if (header.time != 0) {
        const std::int64_t begin = origin.timeNs == 0 ? header.time : std::min(origin.timeNs, header.time);
        const std::int64_t end =
            std::max(endOf(origin.timeNs, origin.durationNs), endOf(header.time, header.duration));
        origin.durationNs = durationOf(begin, end);
        origin.timeNs = begin;
    }
    if (header.defaultType == 0)
        return;
    if (m_layout.tablePlace == TablePlace::InProfile)
        origin.defaultSeries = m_batch.strings[m_dictionary->string(header.defaultType).value];
    else if (header.defaultType < header.types.size())
        origin.defaultSeries = m_batch.strings[header.types[header.defaultType].type.value];
}

bool ProfilesDecoder::readSample(Bytes message)
{
    m_sample.clear();
    bool isWhole = true;
    std::optional<std::uint64_t> stack;
    isWhole &= forEachField(message, m_layout.sample, [&](SampleRole role, const WireField &field) {
        switch (role) {
        case SampleRole::Stack:
            isWhole &= field.isVarint();
            stack = field.number64;
            break;
        case SampleRole::Attributes:
            isWhole &= forEachVarint(field, [&](std::uint64_t index) {
                m_sample.attributes.push_back(
                    static_cast<std::uint32_t>(std::min<std::uint64_t>(index, 0xffffffffU)));
            });
            break;
        case SampleRole::Link:
            isWhole &= field.isVarint();
            m_sample.link = m_dictionary->link(field.number64);
            break;
        case SampleRole::Values:
            isWhole &= forEachVarint(field, [&](std::uint64_t value) {
                m_sample.values.push_back(static_cast<std::int64_t>(value));
            });
            break;
        case SampleRole::Times:
            isWhole &= readTimes(field);
            break;
        case SampleRole::LocationsBegin:
            m_sample.locationsBegin = field.number64;
            break;
        case SampleRole::LocationsCount:
            m_sample.locationsCount = field.number64;
            break;
        case SampleRole::Locations:
            isWhole &=
                forEachVarint(field, [&](std::uint64_t index) { m_sample.locations.push_back(index); });
            break;
        case SampleRole::Label:
            m_sample.labels.push_back(readLabel(field.bytes));
            break;
        case SampleRole::Ignored:
            break;
        case SampleRole::Unknown:
            m_batch.losses.add(Loss::UnknownFields);
        }
    });
    if (!isWhole) {
        m_batch.losses.add(Loss::MalformedRecords, "a sample is damaged");
        return false;
    }
    if (m_layout.hasNullRows)
        m_sample.stack = m_dictionary->stack(stack.value_or(0));
    if (m_sample.stack.isNone()) {
        m_batch.losses.add(Loss::MalformedRecords, "a sample's stack does not exist");
        return false;
    }
    return true;
}

/// Timestamps have fixed length since 1.8, and were varints before.
bool ProfilesDecoder::readTimes(const WireField &field)
{
    if (!m_layout.hasNullRows)
        return forEachVarint(
            field, [&](std::uint64_t time) { m_sample.times.push_back(static_cast<std::int64_t>(time)); });
    if (field.type == WireType::Fixed64) {
        m_sample.times.push_back(static_cast<std::int64_t>(field.number64));
        return true;
    }
    if (!field.isBytes() || field.bytes.size() % sizeof(std::int64_t) != 0)
        return false;
    const std::size_t before = m_sample.times.size();
    m_sample.times.resize(before + field.bytes.size() / sizeof(std::int64_t));
    if (!field.bytes.empty())
        std::memcpy(m_sample.times.data() + before, field.bytes.data(), field.bytes.size());
    return true;
}

/// Before 1.8 a sample's stack is a range of the profile's list of locations, or a list of its own.
bool ProfilesDecoder::findStack(const Header &header)
{
    if (m_layout.hasNullRows)
        return true;
    if (!m_sample.locations.empty()) {
        std::uint32_t &known = m_stackOfRange[digestOf(bytesOf(m_sample.locations))];
        if (known == DigestMap::kNew)
            known = m_dictionary->stackOf(m_sample.locations).value;
        m_sample.stack = StackId(known);
        return true;
    }
    const std::uint64_t begin = m_sample.locationsBegin;
    const std::uint64_t count = m_sample.locationsCount;
    if (begin > header.locations.size() || count > header.locations.size() - begin) {
        m_batch.losses.add(Loss::MalformedRecords, "a sample's stack is beyond the list of locations");
        return false;
    }
    const std::vector<std::uint64_t> range{begin, count};
    std::uint32_t &known = m_stackOfRange[digestOf(bytesOf(range))];
    if (known == DigestMap::kNew)
        known = m_dictionary->stackOf(std::span(header.locations).subspan(begin, count)).value;
    m_sample.stack = StackId(known);
    return true;
}

Attribute ProfilesDecoder::readLabel(Bytes message)
{
    Attribute label;
    StringId text;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        if (!field.isVarint())
            continue;
        switch (field.number) {
        case 1:
            label.key = m_dictionary->string(field.number64);
            break;
        case 2:
            text = m_dictionary->string(field.number64);
            break;
        case 3:
            label.bits = field.number64;
            break;
        case 4:
            label.unit = m_dictionary->string(field.number64);
            break;
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    if (!reader.isOk())
        m_batch.losses.add(Loss::MalformedRecords, "a sample's label is damaged");
    label.type = text == StringId() ? AttributeType::Int : AttributeType::String;
    if (text != StringId())
        label.bits = text.value;
    return label;
}

ContextId ProfilesDecoder::contextOf(const Sample &sample)
{
    if (!sample.labels.empty()) {
        std::vector<Attribute> attributes = sample.labels;
        for (const std::uint32_t index : sample.attributes)
            if (const Attribute *attribute = m_dictionary->attribute(index))
                attributes.push_back(*attribute);
        return addContext(m_attributeReader.addSet(attributes));
    }
    std::uint32_t &known = m_contextOfAttributes[digestOf(bytesOf(sample.attributes))];
    if (known == DigestMap::kNew) {
        std::vector<Attribute> attributes;
        for (const std::uint32_t index : sample.attributes)
            if (const Attribute *attribute = m_dictionary->attribute(index))
                attributes.push_back(*attribute);
        known = addContext(m_attributeReader.addSet(attributes)).value;
    }
    return ContextId(known);
}

ContextId ProfilesDecoder::addContext(AttributeSetId sample)
{
    m_batch.contexts.push_back({.resource = m_resource, .scope = m_scope, .sample = sample});
    return ContextId(m_batch.contexts.size() - 1);
}

/// A sample is one observation, or several with a time each. A value that is left out is 1 for each time.
/// Before 1.8 there was one value for each type, while the most used agent sent one of them with many times.
void ProfilesDecoder::addRows(const Header &header, SampleRows &timed, SampleRows &untimed)
{
    const std::vector<std::int64_t> &times = m_sample.times;
    std::vector<std::int64_t> &values = m_sample.values;
    const std::size_t columns = header.types.size();
    const ContextId context = contextOf(m_sample);
    const auto add = [&](SampleRows &rows, std::int64_t time, std::span<const std::int64_t> row) {
        rows.add(m_sample.stack, context, m_sample.link, time, row);
    };
    const bool isCount = values.empty() || (columns == 1 && values.size() == 1 && times.size() > 1 &&
                                            (values[0] == 1 || values[0] == std::ssize(times)));
    if (isCount && !times.empty()) {
        values.assign(columns, 1);
        for (const std::int64_t time : times)
            add(timed, time, values);
    } else if (columns == 1 && values.size() == times.size() && !times.empty()) {
        for (std::size_t i = 0; i < times.size(); ++i)
            add(timed, times[i], std::span(values).subspan(i, 1));
    } else if (columns == 1 && times.empty() && !values.empty()) {
        for (std::size_t i = 0; i < values.size(); ++i)
            add(untimed, 0, std::span(values).subspan(i, 1));
    } else if (values.size() == columns) {
        times.empty() ? add(untimed, 0, values) : add(timed, times.front(), values);
    } else {
        m_batch.losses.add(Loss::SamplesWithWrongValueCount, std::to_string(values.size()) + " values and " +
                                                                 std::to_string(times.size()) +
                                                                 " times in a sample");
    }
}

/// Describes the samples of a profile.
SampleBlock ProfilesDecoder::blockOf(const Header &header, bool hasTimes)
{
    SampleBlock block;
    for (const ValueType &type : header.types)
        block.series.push_back({type.type, type.unit});
    block.periodType = header.periodType.type;
    block.periodUnit = header.periodType.unit;
    block.period = header.period;
    block.hasTimes = hasTimes;
    return block;
}

} // namespace

DecodedProfiles decodeProfiles(std::span<const std::uint8_t> message, Generation generation, Batch &batch)
{
    DecodedProfiles decoded = ProfilesDecoder(message, layoutOf(generation), batch).run();
    batch.origin.format = "otlp";
    batch.origin.generation = nameOf(generation);
    return decoded;
}

} // namespace hearth::otlp
