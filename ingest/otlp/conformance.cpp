#include "ingest/otlp/conformance.h"

#include "ingest/otlp/attributes.h"
#include "ingest/otlp/envelope.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>

namespace hearth::otlp {

namespace {

constexpr std::array kCheckedTables{TableRole::Mappings, TableRole::Locations, TableRole::Functions,
                                    TableRole::Links,    TableRole::Strings,   TableRole::Attributes,
                                    TableRole::Stacks};

std::string_view nameOf(TableRole table)
{
    constexpr std::array<std::string_view, 9> kNames{"",       "mapping",   "location", "function", "link",
                                                     "string", "attribute", "unit",     "stack"};
    return kNames[static_cast<std::size_t>(table)];
}

std::string_view textOf(Bytes bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// Whether a message has nothing but zeros in it.
bool isZero(Bytes message)
{
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        const bool isNothing =
            field.isBytes() ? std::ranges::all_of(field.bytes, [](std::uint8_t byte) { return byte == 0; })
                            : field.number64 == 0;
        if (!isNothing)
            return false;
    }
    return reader.isOk();
}

} // namespace

class Conformance::MessageCheck {
public:
    MessageCheck(Conformance &result, const Layout &layout) : m_result(result), m_layout(layout) {}

    void run(Bytes message)
    {
        const Envelope envelope(message);
        for (const Bytes part : envelope.dictionaryParts)
            forEachField(part, m_layout.tables, [this](TableRole role, const WireField &field) {
                if (role != TableRole::Unknown && field.isBytes())
                    rows(role).push_back(field.bytes);
            });
        for (const TableRole table : kCheckedTables)
            m_isUsed[static_cast<std::size_t>(table)].resize(rows(table).size());
        checkTables();
        for (const Bytes resource : envelope.resources)
            checkResource(resource);
        for (const TableRole table : kCheckedTables)
            checkUse(table);
    }

private:
    using Indices = std::vector<std::uint64_t>;

    std::vector<Bytes> &rows(TableRole table) { return m_rows[static_cast<std::size_t>(table)]; }

    void refer(TableRole table, std::uint64_t index)
    {
        std::vector<bool> &isUsed = m_isUsed[static_cast<std::size_t>(table)];
        if (index < isUsed.size())
            isUsed[index] = true;
        else
            m_result.add(Fault::WrongReference, table);
    }
    void referAll(TableRole table, const WireField &field)
    {
        if (!forEachVarint(field, [&](std::uint64_t index) { refer(table, index); }))
            m_result.add(Fault::Damage);
    }

    void checkTables()
    {
        for (const TableRole table : kCheckedTables) {
            const std::vector<Bytes> &all = rows(table);
            if (all.empty() || !(table == TableRole::Strings ? all[0].empty() : isZero(all[0])))
                m_result.add(Fault::MissingZeroEntry, table);
            std::set<std::string_view> known;
            for (const Bytes row : all)
                if (!known.insert(textOf(row)).second)
                    m_result.add(Fault::DuplicateEntry, table);
        }
        for (const Bytes row : rows(TableRole::Mappings))
            checkMapping(row);
        for (const Bytes row : rows(TableRole::Locations))
            checkLocation(row);
        for (const Bytes row : rows(TableRole::Functions))
            forEachField(row, m_layout.function, [&](FunctionRole role, const WireField &field) {
                if (role == FunctionRole::Name || role == FunctionRole::SystemName ||
                    role == FunctionRole::File)
                    refer(TableRole::Strings, field.number64);
            });
        for (const Bytes row : rows(TableRole::Attributes))
            checkAttribute(row);
        for (const Bytes row : rows(TableRole::Links))
            checkLink(row);
        for (const Bytes row : rows(TableRole::Stacks))
            forEachFieldOf(row, [&](const WireField &field) {
                if (field.number == field::kStackLocations)
                    referAll(TableRole::Locations, field);
            });
    }

    template <class Take>
    void forEachFieldOf(Bytes message, Take take)
    {
        WireReader reader(message);
        WireField field;
        while (reader.next(field))
            take(field);
        if (!reader.isOk())
            m_result.add(Fault::Damage);
    }

    void checkMapping(Bytes row)
    {
        std::uint64_t start = 0;
        std::uint64_t limit = 0;
        Indices attributes;
        forEachField(row, m_layout.mapping, [&](MappingRole role, const WireField &field) {
            if (role == MappingRole::Start)
                start = field.number64;
            else if (role == MappingRole::Limit)
                limit = field.number64;
            else if (role == MappingRole::File)
                refer(TableRole::Strings, field.number64);
            else if (role == MappingRole::Attributes)
                collect(field, attributes);
        });
        if (start >= limit && (start != 0 || limit != 0))
            m_result.add(Fault::WrongRange, TableRole::Mappings);
        checkKeys(attributes);
    }

    void checkLocation(Bytes row)
    {
        Indices attributes;
        forEachField(row, m_layout.location, [&](LocationRole role, const WireField &field) {
            if (role == LocationRole::Mapping)
                refer(TableRole::Mappings, field.number64);
            else if (role == LocationRole::Line)
                forEachFieldOf(field.bytes, [&](const WireField &part) {
                    if (part.number == field::kLineFunction)
                        refer(TableRole::Functions, part.number64);
                    else if (part.number > field::kLineFunction && part.isVarint() &&
                             static_cast<std::int64_t>(part.number64) < 0)
                        m_result.add(Fault::WrongRange, TableRole::Locations);
                });
            else if (role == LocationRole::Attributes)
                collect(field, attributes);
        });
        checkKeys(attributes);
    }

    void checkAttribute(Bytes row)
    {
        m_keys.push_back(0);
        forEachFieldOf(row, [&](const WireField &field) {
            if (!field.isVarint())
                return;
            refer(TableRole::Strings, field.number64);
            if (field.number == 1)
                m_keys.back() = field.number64;
        });
    }

    void checkLink(Bytes row)
    {
        forEachFieldOf(row, [&](const WireField &field) {
            const std::size_t wanted = field.number == field::kLinkTrace ? 16 : 8;
            if (field.number <= field::kLinkSpan && !field.bytes.empty() && field.bytes.size() != wanted)
                m_result.add(Fault::WrongIdLength, TableRole::Links);
        });
    }

    void collect(const WireField &field, Indices &indices)
    {
        referAll(TableRole::Attributes, field);
        forEachVarint(field, [&](std::uint64_t index) { indices.push_back(index); });
    }

    /// An element has one attribute of a key.
    void checkKeys(const Indices &attributes)
    {
        std::set<std::uint64_t> known;
        for (const std::uint64_t index : attributes)
            if (index < m_keys.size() && !known.insert(m_keys[index]).second)
                m_result.add(Fault::RepeatedKey);
    }

    void checkResource(Bytes resource)
    {
        forEachFieldOf(resource, [&](const WireField &field) {
            if (field.number == field::kResourceResource)
                checkReferences(field.bytes, kResourceAttributes);
            else if (field.number == field::kResourceScope)
                forEachFieldOf(field.bytes, [&](const WireField &part) {
                    if (part.number == field::kScopeScope)
                        checkReferences(part.bytes, kScopeAttributes);
                    else if (part.number == field::kScopeProfile)
                        checkProfile(part.bytes);
                });
        });
    }

    /// Keys and values of resources and scopes may refer to strings.
    void checkReferences(Bytes message, std::uint32_t attributeField)
    {
        forEachFieldOf(message, [&](const WireField &field) {
            if (field.number != attributeField || !field.isBytes())
                return;
            forEachFieldOf(field.bytes, [&](const WireField &part) {
                if (part.number == static_cast<std::uint32_t>(KeyValueField::KeyReference))
                    refer(TableRole::Strings, part.number64);
                else if (part.number == static_cast<std::uint32_t>(KeyValueField::Value))
                    forEachFieldOf(part.bytes, [&](const WireField &value) {
                        if (value.number == static_cast<std::uint32_t>(ValueField::StringReference))
                            refer(TableRole::Strings, value.number64);
                    });
            });
        });
    }

    struct Span {
        std::uint64_t begin = 0;
        std::uint64_t duration = 0;
        bool contains(std::uint64_t time) const { return time >= begin && time - begin < duration; }
    };
    using Identity = std::tuple<std::uint64_t, std::uint64_t, std::set<std::uint64_t>>;

    void checkProfile(Bytes profile)
    {
        Span span;
        Indices attributes;
        std::vector<Bytes> samples;
        forEachField(profile, m_layout.profile, [&](ProfileRole role, const WireField &field) {
            switch (role) {
            case ProfileRole::SampleType:
            case ProfileRole::PeriodType:
                forEachFieldOf(field.bytes, [&](const WireField &part) {
                    if (part.number <= field::kValueTypeUnit)
                        refer(TableRole::Strings, part.number64);
                });
                break;
            case ProfileRole::Time:
                span.begin = field.number64;
                break;
            case ProfileRole::Duration:
                span.duration = field.number64;
                break;
            case ProfileRole::Comments:
                referAll(TableRole::Strings, field);
                break;
            case ProfileRole::Attributes:
                collect(field, attributes);
                break;
            case ProfileRole::Sample:
                samples.push_back(field.bytes);
                break;
            default:
                break;
            }
        });
        checkKeys(attributes);
        std::set<std::pair<bool, bool>> shapes;
        std::set<Identity> identities;
        for (const Bytes sample : samples)
            checkSample(sample, span, shapes, identities);
        if (shapes.size() > 1)
            m_result.add(Fault::MixedSamples);
    }

    void checkSample(Bytes sample, const Span &span, std::set<std::pair<bool, bool>> &shapes,
                     std::set<Identity> &identities)
    {
        std::uint64_t stack = 0;
        std::uint64_t link = 0;
        std::size_t values = 0;
        std::size_t times = 0;
        Indices attributes;
        forEachField(sample, m_layout.sample, [&](SampleRole role, const WireField &field) {
            if (role == SampleRole::Stack) {
                stack = field.number64;
            } else if (role == SampleRole::Link) {
                link = field.number64;
            } else if (role == SampleRole::Attributes) {
                collect(field, attributes);
            } else if (role == SampleRole::Values) {
                forEachVarint(field, [&](std::uint64_t) { ++values; });
            } else if (role == SampleRole::Times) {
                forEachFixed64(field, [&](std::uint64_t time) {
                    ++times;
                    if (!span.contains(time))
                        m_result.add(Fault::TimeOutsideProfile);
                });
            }
        });
        refer(TableRole::Stacks, stack);
        if (link != 0)
            refer(TableRole::Links, link);
        checkKeys(attributes);
        if (values != times && values > (times > 0 ? 0U : 1U))
            m_result.add(Fault::ValuesUnlikeTimes);
        shapes.emplace(values > 0, times > 0);
        if (!identities.insert({stack, link, {attributes.begin(), attributes.end()}}).second)
            m_result.add(Fault::RepeatedSample);
    }

    void checkUse(TableRole table)
    {
        const std::vector<bool> &isUsed = m_isUsed[static_cast<std::size_t>(table)];
        for (std::size_t index = 1; index < isUsed.size(); ++index)
            if (!isUsed[index])
                m_result.add(Fault::OrphanEntry, table);
    }

    Conformance &m_result;
    const Layout &m_layout;
    std::array<std::vector<Bytes>, kTables> m_rows;
    std::array<std::vector<bool>, kTables> m_isUsed;
    Indices m_keys; ///< of attributes
};

void Conformance::check(Bytes message, Generation generation)
{
    const Layout &layout = layoutOf(generation);
    if (layout.hasNullRows)
        MessageCheck(*this, layout).run(message);
}

std::vector<std::string> Conformance::findings() const
{
    constexpr std::array<std::string_view, kFaults> kTexts{
        "no zero entry at the front of the % table",
        "entries of the % table that are there twice",
        "entries of the % table that nothing refers to",
        "references to entries that the % table does not have",
        "times of samples outside their profile's",
        "samples with a number of values that does not go with their times",
        "profiles whose samples do not have the same shape",
        "samples of the same stack, attributes and link in one profile",
        "attributes with a key that another one of the same list has",
        "ids of a wrong length in the % table",
        "ranges or line numbers that cannot be in the % table",
        "messages that are damaged",
    };
    std::vector<std::string> lines;
    for (std::size_t fault = 0; fault < kFaults; ++fault)
        for (std::size_t table = 0; table < kTables; ++table) {
            if (m_counts[fault][table] == 0)
                continue;
            std::string text(kTexts[fault]);
            if (const std::size_t at = text.find('%'); at != std::string::npos)
                text.replace(at, 1, nameOf(static_cast<TableRole>(table)));
            lines.push_back(std::to_string(m_counts[fault][table]) + " × " + text);
        }
    return lines;
}

} // namespace hearth::otlp
