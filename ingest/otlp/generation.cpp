#include "ingest/otlp/generation.h"

#include "ingest/otlp/envelope.h"
#include "ingest/otlp/sample_evidence.h"

#include <array>

namespace hearth::otlp {

namespace {

/// Which wire types the fields of the profiles have.
class ProfileFields {
public:
    explicit ProfileFields(const Envelope &envelope)
    {
        constexpr std::size_t kEnough = 64;
        forEachProfile(envelope, [this](Bytes profile) {
            if (m_profiles++ < kEnough)
                add(profile);
        });
    }

    bool any() const { return m_profiles > 0; }
    bool has(std::uint32_t number) const { return number < m_types.size() && m_types[number] != 0; }
    bool has(std::uint32_t number, WireType type) const
    {
        return number < m_types.size() && (m_types[number] >> static_cast<unsigned>(type) & 1) != 0;
    }
    /// Field 7 as a message that can't be the 16 bytes of an id.
    bool hasListIn7() const { return m_hasListIn7; }
    bool hasTemporality() const { return m_hasTemporality; }

private:
    void add(Bytes profile)
    {
        constexpr std::uint32_t kTemporality = 3;
        WireReader reader(profile);
        WireField field;
        while (reader.next(field)) {
            if (field.number < m_types.size())
                m_types[field.number] |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(field.type));
            if (field.number == 7 && field.isBytes() && !field.bytes.empty() && field.bytes.size() != 16)
                m_hasListIn7 = true;
            if (field.number != 1 || !field.isBytes())
                continue;
            WireReader types(field.bytes);
            WireField type;
            while (types.next(type))
                m_hasTemporality |= type.number == kTemporality;
        }
    }

    std::array<std::uint8_t, 24> m_types{};
    std::size_t m_profiles = 0;
    bool m_hasListIn7 = false;
    bool m_hasTemporality = false;
};

/// What the dictionary tells of its generation.
struct DictionaryFields {
    explicit DictionaryFields(const Envelope &envelope)
    {
        for (const Bytes part : envelope.dictionaryParts) {
            WireReader reader(part);
            WireField field;
            while (reader.next(field)) {
                if (field.number == 2 && field.isBytes())
                    addLocation(field.bytes);
                else if (field.number == 6 && field.isBytes())
                    addAttribute(field.bytes);
                else if (field.number == 7 && field.isBytes())
                    addUnitOrStack(field.bytes);
            }
        }
    }

    bool isOf1_7 = false;
    bool isOf1_8 = false; ///< or later

private:
    void addLocation(Bytes location)
    {
        WireReader reader(location);
        WireField field;
        while (reader.next(field)) {
            isOf1_8 |= field.number == 4 && field.isBytes();
            isOf1_7 |= field.number == 5;
        }
    }
    void addAttribute(Bytes attribute)
    {
        WireReader reader(attribute);
        WireField field;
        while (reader.next(field))
            if (field.number == 1)
                (field.isBytes() ? isOf1_7 : isOf1_8) = true;
    }
    void addUnitOrStack(Bytes row)
    {
        WireReader reader(row);
        WireField field;
        while (reader.next(field))
            (field.number == 2 ? isOf1_7 : isOf1_8) |= field.number == 2 || field.isBytes();
    }
};

/// Attributes of resources and scopes that refer to the string table: new in 1.10.
bool hasReferringAttributes(const Envelope &envelope)
{
    constexpr std::uint32_t kKeyReference = 3;
    constexpr std::uint32_t kValueReference = 8;
    const auto refers = [&](Bytes attribute) {
        WireReader reader(attribute);
        WireField field;
        while (reader.next(field)) {
            if (field.number == kKeyReference && field.isVarint())
                return true;
            if (field.number != 2 || !field.isBytes())
                continue;
            WireReader values(field.bytes);
            WireField value;
            while (values.next(value))
                if (value.number == kValueReference && value.isVarint())
                    return true;
        }
        return false;
    };
    const auto anyRefers = [&](Bytes message, std::uint32_t attributeField) {
        WireReader reader(message);
        WireField field;
        while (reader.next(field))
            if (field.number == attributeField && field.isBytes() && refers(field.bytes))
                return true;
        return false;
    };
    for (const Bytes resource : envelope.resources) {
        WireReader reader(resource);
        WireField field;
        while (reader.next(field)) {
            if (field.number == field::kResourceResource && field.isBytes() && anyRefers(field.bytes, 1))
                return true;
            if (field.number != field::kResourceScope || !field.isBytes())
                continue;
            WireReader scopes(field.bytes);
            WireField scope;
            while (scopes.next(scope))
                if (scope.number == field::kScopeScope && scope.isBytes() && anyRefers(scope.bytes, 3))
                    return true;
        }
    }
    return false;
}

Result<DetectedGeneration> withoutDictionary(const ProfileFields &fields)
{
    const bool isContainer = fields.has(2, WireType::Fixed64) ||
                             (fields.has(8, WireType::Bytes) &&
                              (fields.has(3, WireType::Fixed64) || (!fields.has(10) && !fields.has(2))));
    if (isContainer)
        return DetectedGeneration{Generation::V1_3, false};
    if (fields.has(10, WireType::Bytes) && fields.has(4, WireType::Bytes) && !fields.has(11, WireType::Bytes))
        return DetectedGeneration{Generation::V1_4, false};
    if (!fields.any())
        return DetectedGeneration{Generation::V1_10, false};
    if (fields.has(7, WireType::Fixed64) || fields.has(8, WireType::Fixed64) ||
        fields.has(1, WireType::Fixed64) || fields.has(11, WireType::Fixed64))
        return failure("these are no profiles but another signal");
    return failure("the profiles have no dictionary, so nothing of them has a name");
}

Result<DetectedGeneration> withDictionary(const Envelope &envelope, const ProfileFields &fields)
{
    const DictionaryFields dictionary(envelope);
    const bool isOf1_8 =
        fields.has(3, WireType::Fixed64) || fields.has(5, WireType::Bytes) || fields.has(6, WireType::Varint);
    const bool isOf1_7 =
        fields.has(5, WireType::Varint) || fields.has(6, WireType::Bytes) || (fields.has(3) && !isOf1_8);
    if (isOf1_7 && isOf1_8)
        return failure("profiles of two generations of OTLP (1.7 and later) in one message");
    if (isOf1_7 || (!isOf1_8 && dictionary.isOf1_7 && !dictionary.isOf1_8))
        return DetectedGeneration{Generation::V1_7, false};
    if (hasReferringAttributes(envelope))
        return DetectedGeneration{Generation::V1_10, false};
    if (fields.has(12) || fields.has(8, WireType::Bytes) || fields.has(9, WireType::Varint) ||
        fields.has(7, WireType::Varint) || fields.hasListIn7() || fields.hasTemporality())
        return DetectedGeneration{Generation::V1_8, false};
    const SampleVerdict verdict = judgeSamples(envelope);
    return DetectedGeneration{verdict.isOf1_10 ? Generation::V1_10 : Generation::V1_9, verdict.isGuess};
}

} // namespace

Result<DetectedGeneration> detectGeneration(std::span<const std::uint8_t> message)
{
    const Envelope envelope(message);
    if (!envelope.isOtlp || (envelope.readable == 0 && !message.empty()))
        return failure("not a message of OTLP profiles");
    for (std::size_t number = 3; number < envelope.hasField.size(); ++number)
        if (envelope.hasField[number])
            return DetectedGeneration{Generation::V1_6, false};
    const ProfileFields fields(envelope);
    return envelope.dictionaryParts.empty() ? withoutDictionary(fields) : withDictionary(envelope, fields);
}

} // namespace hearth::otlp
