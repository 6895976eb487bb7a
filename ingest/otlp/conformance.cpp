#include "ingest/otlp/conformance.h"

#include "ingest/otlp/attributes.h"
#include "ingest/otlp/envelope.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <string>
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
        for (std::size_t i = 0; i < envelope.resources.size(); ++i)
            at("resourceProfiles", i, [&] { checkResource(envelope.resources[i]); });
        for (const TableRole table : kCheckedTables)
            checkUse(table);
    }

private:
    using Indices = std::vector<std::uint64_t>;

    struct Step {
        std::string_view field;
        std::size_t index = 0;
    };

    std::vector<Bytes> &rows(TableRole table) { return m_rows[static_cast<std::size_t>(table)]; }

    template <class Check>
    void at(std::string_view field, std::size_t index, Check check)
    {
        m_path[m_depth++] = {field, index};
        check();
        --m_depth;
    }

    template <class Check>
    void forEachRow(TableRole table, Check check)
    {
        const std::string field = "dictionary." + std::string(nameOf(table)) + "Table";
        const std::vector<Bytes> &all = rows(table);
        for (std::size_t i = 0; i < all.size(); ++i)
            at(field, i, [&] { check(all[i], i); });
    }

    /// @param table that it is about; none for faults of samples
    void report(Fault fault, TableRole table = TableRole::Unknown)
    {
        Found &found = m_result.m_found[static_cast<std::size_t>(fault)][static_cast<std::size_t>(table)];
        if (found.count++ > 0)
            return;
        for (const Step &step : std::span(m_path).first(m_depth)) {
            found.place += found.place.empty() ? "" : ".";
            (found.place += step.field) += '[' + std::to_string(step.index) + ']';
        }
    }

    void refer(TableRole table, std::uint64_t index)
    {
        std::vector<bool> &isUsed = m_isUsed[static_cast<std::size_t>(table)];
        if (index < isUsed.size())
            isUsed[index] = true;
        else
            report(Fault::WrongReference, table);
    }
    void referAll(TableRole table, const WireField &field)
    {
        if (!forEachVarint(field, [&](std::uint64_t index) { refer(table, index); }))
            report(Fault::Damage);
    }

    void checkTables()
    {
        for (const TableRole table : kCheckedTables)
            checkEntries(table);
        forEachRow(TableRole::Mappings, [this](Bytes row, std::size_t) { checkMapping(row); });
        forEachRow(TableRole::Locations, [this](Bytes row, std::size_t) { checkLocation(row); });
        forEachRow(TableRole::Functions, [this](Bytes row, std::size_t) { checkFunction(row); });
        forEachRow(TableRole::Attributes, [this](Bytes row, std::size_t) { checkAttribute(row); });
        forEachRow(TableRole::Links, [this](Bytes row, std::size_t) { checkLink(row); });
        forEachRow(TableRole::Stacks, [this](Bytes row, std::size_t) {
            forEachFieldOf(row, [&](const WireField &field) {
                if (field.number == field::kStackLocations)
                    referAll(TableRole::Locations, field);
            });
        });
    }

    void checkEntries(TableRole table)
    {
        const std::vector<Bytes> &all = rows(table);
        if (all.empty() || !(table == TableRole::Strings ? all[0].empty() : isZero(all[0])))
            report(Fault::MissingZeroEntry, table);
        std::set<std::string_view> known;
        forEachRow(table, [&](Bytes row, std::size_t) {
            if (!known.insert(textOf(row)).second)
                report(Fault::DuplicateEntry, table);
        });
    }

    void checkFunction(Bytes row)
    {
        forEachField(row, m_layout.function, [&](FunctionRole role, const WireField &field) {
            if (role == FunctionRole::Name || role == FunctionRole::SystemName || role == FunctionRole::File)
                refer(TableRole::Strings, field.number64);
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
            report(Fault::Damage);
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
            report(Fault::WrongRange, TableRole::Mappings);
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
                        report(Fault::WrongRange, TableRole::Locations);
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
                report(Fault::WrongIdLength, TableRole::Links);
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
                report(Fault::RepeatedKey);
    }

    void checkResource(Bytes resource)
    {
        std::size_t scopes = 0;
        forEachFieldOf(resource, [&](const WireField &field) {
            if (field.number == field::kResourceResource)
                checkReferences(field.bytes, kResourceAttributes);
            else if (field.number == field::kResourceScope)
                at("scopeProfiles", scopes++, [&] { checkScope(field.bytes); });
        });
    }

    void checkScope(Bytes scope)
    {
        std::size_t profiles = 0;
        forEachFieldOf(scope, [&](const WireField &field) {
            if (field.number == field::kScopeScope)
                checkReferences(field.bytes, kScopeAttributes);
            else if (field.number == field::kScopeProfile)
                at("profiles", profiles++, [&] { checkProfile(field.bytes); });
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
        for (std::size_t i = 0; i < samples.size(); ++i)
            at("samples", i, [&] { checkSample(samples[i], span, shapes, identities); });
        if (shapes.size() > 1)
            report(Fault::MixedSamples);
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
                        report(Fault::TimeOutsideProfile);
                });
            }
        });
        refer(TableRole::Stacks, stack);
        if (link != 0)
            refer(TableRole::Links, link);
        checkKeys(attributes);
        if (values != times && values > (times > 0 ? 0U : 1U))
            report(Fault::ValuesUnlikeTimes);
        shapes.emplace(values > 0, times > 0);
        if (!identities.insert({stack, link, {attributes.begin(), attributes.end()}}).second)
            report(Fault::RepeatedSample);
    }

    void checkUse(TableRole table)
    {
        const std::vector<bool> &isUsed = m_isUsed[static_cast<std::size_t>(table)];
        forEachRow(table, [&](Bytes, std::size_t index) {
            if (index > 0 && !isUsed[index])
                report(Fault::OrphanEntry, table);
        });
    }

    Conformance &m_result;
    const Layout &m_layout;
    std::array<std::vector<Bytes>, kTables> m_rows;
    std::array<std::vector<bool>, kTables> m_isUsed;
    Indices m_keys; ///< of attributes
    std::array<Step, 4> m_path;
    std::size_t m_depth = 0;
};

void Conformance::check(Bytes message, Generation generation)
{
    const Layout &layout = layoutOf(generation);
    if (layout.hasNullRows)
        MessageCheck(*this, layout).run(message);
}

std::vector<Finding> Conformance::findings() const
{
    struct Rule {
        std::string_view fault; ///< % is the table
        std::string_view wanted;
    };
    constexpr std::array<Rule, kFaults> kRules{{
        {"no zero entry at the front of the % table",
         "entry 0 of every table has to be there, and stands for none"},
        {"entries of the % table that are there twice", "a table should have an entry once"},
        {"entries of the % table that nothing refers to", "a table should have nothing that is not used"},
        {"references to entries that the % table does not have", "an index has to lie within its table"},
        {"times of samples outside their profile's",
         "times have to lie at or behind timeUnixNano, and less than durationNano behind it"},
        {"samples with a number of values that does not go with their times",
         "a sample has to have a value for each time, or times alone, or one value alone"},
        {"profiles whose samples do not have the same shape",
         "the samples of a profile all have to have values, times, or both"},
        {"samples of the same stack, attributes and link in one profile",
         "a sample is known by its stack, attributes and link: those of the same should be one"},
        {"attributes with a key that another one of the same list has",
         "keys have to be unique within a list of attributes"},
        {"ids of a wrong length in the % table", "a trace id has to have 16 bytes, a span id 8"},
        {"ranges or line numbers that cannot be in the % table",
         "memoryStart has to be less than memoryLimit unless both are 0; lines and columns are not negative"},
        {"messages that are damaged", "a message has to be protobuf to its end"},
    }};
    std::vector<Finding> findings;
    for (std::size_t fault = 0; fault < kFaults; ++fault)
        for (std::size_t table = 0; table < kTables; ++table) {
            const Found &found = m_found[fault][table];
            if (found.count == 0)
                continue;
            std::string text(kRules[fault].fault);
            if (const std::size_t place = text.find('%'); place != std::string::npos)
                text.replace(place, 1, nameOf(static_cast<TableRole>(table)));
            findings.push_back({.count = found.count,
                                .what = std::move(text),
                                .rule = kRules[fault].wanted,
                                .place = found.place});
        }
    return findings;
}

std::string lineOf(const Finding &finding)
{
    return std::to_string(finding.count) + " × " + finding.what;
}

} // namespace hearth::otlp
