#include "ingest/otlp/encode/profiles.h"

#include "ingest/bytes/wire_writer.h"
#include "ingest/otlp/attributes.h"
#include "ingest/otlp/encode/any_value.h"
#include "ingest/otlp/encode/dictionary_writer.h"
#include "ingest/otlp/encode/envelope_writer.h"
#include "ingest/otlp/profile_keys.h"
#include "model/store/row_index.h"

#include <algorithm>
#include <limits>

namespace hearth::otlp {

namespace {

// Messages of generation 1.10.
enum class ProfilesField : std::uint32_t { Dictionary = 2 };
enum class ProfileField : std::uint32_t {
    SampleType = 1,
    Samples = 2,
    Time = 3,
    Duration = 4,
    PeriodType = 5,
    Period = 6,
    Attributes = 11
};
enum class ValueTypeField : std::uint32_t { Type = 1, Unit = 2 };
enum class SampleField : std::uint32_t { Stack = 1, Attributes = 2, Link = 3, Values = 4, Times = 5 };

/// The rows of a table that become one sample of each of its profiles.
struct Sample {
    StackId stack;
    ContextId context;
    LinkId link;
    std::vector<std::uint32_t> rows;
};

/// The samples of a table that belong to one resource and scope.
struct Part {
    Context around;
    std::vector<Sample> samples;
};

/// The columns of a table, unpacked.
struct Columns {
    std::vector<std::int64_t> times;
    std::vector<std::vector<std::int64_t>> values;
    std::vector<Part> parts;
};

class ProfilesEncoder {
public:
    explicit ProfilesEncoder(const Snapshot &snapshot)
        : m_snapshot(snapshot), m_origin(mergedOrigin(snapshot)), m_dictionary(snapshot), m_envelope(snapshot)
    {
        if (!m_origin.defaultSeries.empty())
            m_envelope.addToScopes(kDefaultSampleTypeKey, m_origin.defaultSeries);
    }

    std::string run()
    {
        m_profileAttributes = profileAttributes();
        for (const SampleTable &table : m_snapshot.tables) {
            const Columns columns = columnsOf(table);
            for (const Part &part : columns.parts)
                for (std::size_t series = 0; series < table.series.size(); ++series)
                    WireWriter(m_envelope.records(part.around))
                        .bytes(kScopeRecord, profileOf(table, columns, part, series));
        }
        std::string data = m_envelope.finish();
        if (!data.empty())
            WireWriter(data).bytes(ProfilesField::Dictionary, m_dictionary.finish());
        return data;
    }

private:
    Columns columnsOf(const SampleTable &table) const;
    std::string profileOf(const SampleTable &table, const Columns &columns, const Part &part,
                          std::size_t series);
    void writeSample(WireWriter &profile, const Sample &sample, const std::vector<std::int64_t> *values,
                     const std::vector<std::int64_t> *times);
    void writeTime(WireWriter &profile, const SampleTable &table) const;
    std::string valueType(StringId type, StringId unit);
    const std::string &attributesOf(ContextId context);
    std::string profileAttributes();

    const Snapshot &m_snapshot;
    const Origin m_origin;
    DictionaryWriter m_dictionary;
    EnvelopeWriter m_envelope;
    std::string m_profileAttributes;
    std::vector<std::string> m_attributes; ///< of samples by context, as packed indices
    std::vector<bool> m_hasAttributes;
    std::string m_sample, m_packed;
};

/// Puts the rows of a table into samples.
class Grouping {
public:
    Grouping(const Snapshot &snapshot, bool hasTimes, Columns &columns)
        : m_snapshot(snapshot), m_hasTimes(hasTimes), m_columns(columns)
    {}

    void add(StackId stack, ContextId context, LinkId link, std::uint32_t row)
    {
        const std::uint64_t hash =
            mixHash(std::uint64_t(stack.value) << 32 | context.value, hashSeed() ^ link.value);
        if (m_hasTimes) { // samples without times stay apart, and in order
            const std::uint32_t known = m_sampleIndex.find(hash, [&](std::uint32_t number) {
                const Sample &sample = sampleAt(number);
                return sample.stack == stack && sample.context == context && sample.link == link;
            });
            if (known != RowIndex::kNoRow) {
                sampleAt(known).rows.push_back(row);
                return;
            }
            m_sampleIndex.insert(hash, static_cast<std::uint32_t>(m_places.size()));
        }
        const std::size_t part = partOf(context);
        m_places.emplace_back(part, m_columns.parts[part].samples.size());
        m_columns.parts[part].samples.push_back({stack, context, link, {row}});
    }

private:
    Sample &sampleAt(std::uint32_t number)
    {
        return m_columns.parts[m_places[number].first].samples[m_places[number].second];
    }

    std::size_t partOf(ContextId context)
    {
        const Context &sets = m_snapshot.contexts[context.value];
        const std::pair key{sets.resource, sets.scope};
        const auto [known, isNew] = m_partOf.try_emplace(key, m_columns.parts.size());
        if (isNew)
            m_columns.parts.push_back({{.resource = sets.resource, .scope = sets.scope, .sample = {}}, {}});
        return known->second;
    }

    const Snapshot &m_snapshot;
    const bool m_hasTimes;
    Columns &m_columns;
    RowIndex m_sampleIndex;
    std::vector<std::pair<std::size_t, std::size_t>> m_places; ///< part and sample
    std::map<std::pair<AttributeSetId, AttributeSetId>, std::size_t> m_partOf;
};

Columns ProfilesEncoder::columnsOf(const SampleTable &table) const
{
    Columns columns;
    columns.values.resize(table.series.size());
    Grouping grouping(m_snapshot, table.hasTimes, columns);
    std::uint32_t row = 0;
    for (const auto &chunk : table.chunks)
        for (std::size_t i = 0; i < chunk->rows(); ++i) {
            grouping.add(StackId(chunk->stacks()[i]), ContextId(chunk->contexts()[i]),
                         LinkId(chunk->links()[i]), row++);
            if (table.hasTimes)
                columns.times.push_back(static_cast<std::int64_t>(chunk->times()[i]));
            for (std::size_t series = 0; series < table.series.size(); ++series)
                columns.values[series].push_back(static_cast<std::int64_t>(chunk->values(series)[i]));
        }
    return columns;
}

std::string ProfilesEncoder::profileOf(const SampleTable &table, const Columns &columns, const Part &part,
                                       std::size_t series)
{
    const Series &type = m_snapshot.series[table.series[series].value];
    std::string out;
    WireWriter writer(out);
    writer.bytes(ProfileField::SampleType, valueType(type.type, type.unit));
    const std::vector<std::int64_t> &values = columns.values[series];
    const auto isOne = [&](std::uint32_t row) { return values[row] == 1; };
    const bool isCount = table.hasTimes && std::ranges::all_of(part.samples, [&](const Sample &sample) {
                             return std::ranges::all_of(sample.rows, isOne);
                         });
    for (const Sample &sample : part.samples)
        writeSample(writer, sample, isCount ? nullptr : &values, table.hasTimes ? &columns.times : nullptr);
    writeTime(writer, table);
    writer.bytes(ProfileField::PeriodType, valueType(table.periodType, table.periodUnit));
    writer.number(ProfileField::Period, static_cast<std::uint64_t>(table.period));
    writer.nonEmpty(ProfileField::Attributes, m_profileAttributes);
    return out;
}

/// @param values null if each is 1 and has a time: then they are left out
/// @param times null if samples have none
void ProfilesEncoder::writeSample(WireWriter &profile, const Sample &sample,
                                  const std::vector<std::int64_t> *values,
                                  const std::vector<std::int64_t> *times)
{
    m_sample.clear();
    WireWriter writer(m_sample);
    writer.number(SampleField::Stack, m_dictionary.stack(sample.stack));
    writer.nonEmpty(SampleField::Attributes, attributesOf(sample.context));
    writer.number(SampleField::Link, m_dictionary.link(sample.link));
    if (values != nullptr) {
        m_packed.clear();
        for (const std::uint32_t row : sample.rows)
            WireWriter(m_packed).varint(static_cast<std::uint64_t>((*values)[row]));
        writer.bytes(SampleField::Values, m_packed);
    }
    if (times != nullptr) {
        m_packed.clear();
        for (const std::uint32_t row : sample.rows)
            WireWriter(m_packed).fixed(static_cast<std::uint64_t>((*times)[row]), 8);
        writer.bytes(SampleField::Times, m_packed);
    }
    profile.bytes(ProfileField::Samples, m_sample);
}

/// All times of samples are to lie within the profile's.
void ProfilesEncoder::writeTime(WireWriter &profile, const SampleTable &table) const
{
    std::int64_t begin = m_origin.timeNs;
    std::int64_t end = 0;
    if (__builtin_add_overflow(begin, std::max<std::int64_t>(m_origin.durationNs, 0), &end))
        end = std::numeric_limits<std::int64_t>::max();
    if (table.hasTimes)
        for (const auto &chunk : table.chunks) {
            begin = begin == 0 ? chunk->earliest() : std::min(begin, chunk->earliest());
            if (chunk->latest() >= end && chunk->latest() < std::numeric_limits<std::int64_t>::max())
                end = chunk->latest() + 1;
        }
    profile.fixed64(ProfileField::Time, static_cast<std::uint64_t>(begin));
    profile.number(ProfileField::Duration,
                   end > begin ? static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin) : 0);
}

std::string ProfilesEncoder::valueType(StringId type, StringId unit)
{
    std::string out;
    WireWriter writer(out);
    writer.number(ValueTypeField::Type, m_dictionary.string(type));
    writer.number(ValueTypeField::Unit, m_dictionary.string(unit));
    return out;
}

const std::string &ProfilesEncoder::attributesOf(ContextId context)
{
    if (m_attributes.empty()) {
        m_attributes.resize(m_snapshot.contexts.size());
        m_hasAttributes.resize(m_snapshot.contexts.size());
    }
    std::string &packed = m_attributes[context.value];
    if (!m_hasAttributes[context.value]) {
        m_hasAttributes[context.value] = true;
        for (const AttributeId id : m_snapshot.attributesOf(m_snapshot.contexts[context.value].sample))
            WireWriter(packed).varint(m_dictionary.attribute(id));
    }
    return packed;
}

/// What other formats have fields for, as packed indices.
std::string ProfilesEncoder::profileAttributes()
{
    std::string packed;
    const auto add = [&](std::string_view key, std::string_view text) {
        if (!text.empty())
            WireWriter(packed).varint(m_dictionary.textAttribute(key, text));
    };
    add(kDropFramesKey, m_origin.dropFrames);
    add(kKeepFramesKey, m_origin.keepFrames);
    add(kDocUrlKey, m_origin.docUrl);
    for (std::size_t i = 0; i < m_origin.comments.size(); ++i)
        add(std::string(kCommentKey) + '.' + std::to_string(i), m_origin.comments[i]);
    return packed;
}

} // namespace

std::string profilesOf(const Snapshot &snapshot)
{
    return ProfilesEncoder(snapshot).run();
}

} // namespace hearth::otlp
