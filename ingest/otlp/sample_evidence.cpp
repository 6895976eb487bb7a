#include "ingest/otlp/sample_evidence.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace hearth::otlp {

namespace {

/// Keys that only frames and mappings have, never samples.
constexpr std::array<std::string_view, 4> kOtherKeys{"profile.frame.type", "process.executable.build_id.",
                                                     "pprof.mapping.", "pprof.location."};

/// Of each row of the attribute table: its key, and whether no sample has it.
class AttributeKeys {
public:
    explicit AttributeKeys(const Envelope &envelope)
    {
        std::vector<std::string_view> strings;
        for (const Bytes part : envelope.dictionaryParts) {
            WireReader reader(part);
            WireField field;
            while (reader.next(field)) {
                const TableRole role = layoutOf(Generation::V1_10).tables[field.number];
                if (role == TableRole::Strings)
                    strings.push_back(field.text());
                else if (role == TableRole::Attributes)
                    m_keys.push_back(keyOf(field.bytes));
                else if (role == TableRole::Links)
                    ++m_links;
            }
        }
        for (const std::uint64_t key : m_keys)
            m_isOther.push_back(
                key < strings.size() &&
                std::ranges::any_of(
                    kOtherKeys, [&](std::string_view other) { return strings[key].starts_with(other); }));
    }

    std::uint64_t links() const { return std::max<std::uint64_t>(1, m_links); }

    /// How many of these can't be the attributes of one sample.
    std::size_t faults(const std::vector<std::uint64_t> &indices) const
    {
        std::size_t faults = 0;
        std::vector<std::uint64_t> seen;
        for (const std::uint64_t index : indices) {
            if (index == 0 || index >= m_keys.size() || m_isOther[index]) {
                ++faults;
                continue;
            }
            faults += std::ranges::find(seen, m_keys[index]) != seen.end();
            seen.push_back(m_keys[index]);
        }
        return faults;
    }

private:
    static std::uint64_t keyOf(Bytes attribute)
    {
        std::uint64_t key = 0;
        WireReader reader(attribute);
        WireField field;
        while (reader.next(field))
            if (field.number == 1 && field.isVarint())
                key = field.number64;
        return key;
    }

    std::vector<std::uint64_t> m_keys;
    std::vector<bool> m_isOther;
    std::uint64_t m_links = 0;
};

/// What is wrong with samples if they are read in one of the two ways.
class Reading {
public:
    explicit Reading(Generation generation) : m_roles(layoutOf(generation).sample) {}

    void judge(Bytes sample, const AttributeKeys &keys)
    {
        m_attributes.clear();
        std::size_t values = 0;
        std::size_t times = 0;
        std::uint64_t link = 0;
        const bool isWhole = forEachField(sample, m_roles, [&](SampleRole role, const WireField &field) {
            switch (role) {
            case SampleRole::Values:
                isImpossible |= !forEachVarint(field, [&](std::uint64_t) { ++values; });
                break;
            case SampleRole::Attributes:
                isImpossible |=
                    !forEachVarint(field, [&](std::uint64_t index) { m_attributes.push_back(index); });
                break;
            case SampleRole::Link:
                isImpossible |= !field.isVarint();
                link = field.number64;
                break;
            case SampleRole::Times:
                times += field.isBytes() ? field.bytes.size() / 8 : 1;
                break;
            case SampleRole::Stack:
                isImpossible |= !field.isVarint();
                break;
            default:
                isImpossible = true;
            }
        });
        isImpossible |= !isWhole;
        faults += keys.faults(m_attributes);
        faults += link >= keys.links();
        faults += values == 0 && times == 0;
        faults += values > 0 && times > 0 && values != times;
        faults += values > 1 && times == 0;
    }

    bool isImpossible = false;
    std::size_t faults = 0;

private:
    const Roles<SampleRole> &m_roles;
    std::vector<std::uint64_t> m_attributes;
};

/// The fields in which the two generations differ.
struct Shape {
    bool isTold = false;          ///< any of them occurs
    bool isAlwaysOneValue = true; ///< field 2 is a 1 in every sample, and 3 never occurs
};

void look(Bytes sample, Shape &shape)
{
    WireReader reader(sample);
    WireField field;
    bool isOne = false;
    bool has3 = false;
    while (reader.next(field)) {
        shape.isTold |= field.number >= 2 && field.number <= 4;
        has3 |= field.number == 3;
        if (field.number == 2)
            isOne = field.isVarint() ? field.number64 == 1 : field.bytes.size() == 1 && field.bytes[0] == 1;
    }
    shape.isAlwaysOneValue &= isOne && !has3;
}

} // namespace

SampleVerdict judgeSamples(const Envelope &envelope)
{
    constexpr std::size_t kEnough = 4096;
    const AttributeKeys keys(envelope);
    Reading before(Generation::V1_9);
    Reading now(Generation::V1_10);
    Shape shape;
    std::size_t samples = 0;
    forEachProfile(envelope, [&](Bytes profile) {
        WireReader reader(profile);
        WireField field;
        while (samples < kEnough && reader.next(field)) {
            if (layoutOf(Generation::V1_10).profile[field.number] != ProfileRole::Sample || !field.isBytes())
                continue;
            ++samples;
            before.judge(field.bytes, keys);
            now.judge(field.bytes, keys);
            look(field.bytes, shape);
            if (before.isImpossible != now.isImpossible)
                return;
        }
    });
    if (before.isImpossible != now.isImpossible)
        return {.isOf1_10 = before.isImpossible, .isGuess = false};
    if (!shape.isTold)
        return {};
    if (before.faults != now.faults)
        return {.isOf1_10 = now.faults < before.faults, .isGuess = false};
    return {.isOf1_10 = !shape.isAlwaysOneValue, .isGuess = true};
}

} // namespace hearth::otlp
