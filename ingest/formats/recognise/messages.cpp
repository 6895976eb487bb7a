#include "ingest/bytes/wire.h"
#include "ingest/formats/recognise/kinds.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace hearth {

namespace {

using Bytes = std::span<const std::uint8_t>;

/// The fields of a message, as far as it is at hand.
class MessageFields {
public:
    explicit MessageFields(Bytes message);

    bool isMessage() const { return m_isMessage; }
    bool has(std::uint32_t number, WireType type) const
    {
        return std::ranges::any_of(
            m_fields, [=](const WireField &field) { return field.number == number && field.type == type; });
    }
    bool hasOnlyBytes(std::uint32_t last) const
    {
        return m_isMessage && std::ranges::all_of(m_fields, [=](const WireField &field) {
                   return field.isBytes() && field.number <= last;
               });
    }
    /// The first payload of this number that is not empty.
    Bytes bytes(std::uint32_t number) const
    {
        for (const WireField &field : m_fields)
            if (field.number == number && field.isBytes() && !field.bytes.empty())
                return field.bytes;
        return {};
    }

private:
    static constexpr std::size_t kMostFields = 256;

    std::vector<WireField> m_fields;
    bool m_isMessage = true;
};

MessageFields::MessageFields(Bytes message)
{
    const std::uint8_t *at = message.data();
    const std::uint8_t *const end = at + message.size();
    while (at != end && m_fields.size() < kMostFields) {
        WireField field;
        std::uint64_t length = 0;
        const WireOutcome outcome = readFieldHead(at, end, field, length);
        if (outcome == WireOutcome::Malformed)
            m_isMessage = false;
        if (outcome != WireOutcome::Ok)
            return;
        length = std::min<std::uint64_t>(length, static_cast<std::uint64_t>(end - at));
        field.bytes = {at, static_cast<std::size_t>(length)};
        at += length;
        m_fields.push_back(field);
    }
}

bool isPrintable(Bytes text)
{
    return !text.empty() && std::ranges::all_of(text, [](std::uint8_t byte) { return byte >= ' '; });
}

/// By one record of OTLP: a profile, a span, a log record or a metric.
std::string_view nameByOtlpRecord(Bytes record)
{
    const MessageFields fields(record);
    const auto hasAny = [&](std::initializer_list<std::uint32_t> numbers, WireType type) {
        return std::ranges::any_of(numbers, [&](std::uint32_t number) { return fields.has(number, type); });
    };
    if (hasAny({2, 3}, WireType::Fixed64))
        return kOtlpProfiles;
    if (fields.bytes(1).size() == 16 && fields.bytes(2).size() == 8)
        return "file of OTLP traces";
    if (hasAny({1, 11}, WireType::Fixed64))
        return "file of OTLP logs";
    if (isPrintable(fields.bytes(1)) && hasAny({5, 7, 9, 10, 11}, WireType::Bytes))
        return "file of OTLP metrics";
    return kOtlpProfiles;
}

/// OTLP: resources (1) with scopes (2) with records (2), and a dictionary (2) beside the resources; its
/// second generation of profiles has its dictionary in fields 3 to 8.
std::string_view nameByMessage(Bytes head)
{
    const MessageFields fields(head);
    if (!fields.hasOnlyBytes(8) || head.size() < 4)
        return {};
    const Bytes first = fields.bytes(1);
    const MessageFields resource(first);
    if (first.empty())
        return MessageFields(fields.bytes(2)).hasOnlyBytes(16) && !fields.bytes(2).empty() ? kOtlpProfiles
                                                                                           : "";
    if (!resource.hasOnlyBytes(3)) {
        const bool isPacket =
            resource.isMessage() && (resource.has(8, WireType::Varint) || resource.has(10, WireType::Varint));
        return isPacket && fields.hasOnlyBytes(1) ? "Perfetto trace" : "";
    }
    const MessageFields scope(resource.bytes(2));
    if (!scope.hasOnlyBytes(3))
        return {};
    return fields.hasOnlyBytes(2) ? nameByOtlpRecord(scope.bytes(2)) : kOtlpProfiles;
}

std::string_view nameByPayload(Bytes payload)
{
    if (textOf(payload).starts_with("\x28\xb5\x2f\xfd"))
        return "file of OTLP messages, each packed by itself";
    const std::string_view json = nameByJson(textOf(payload));
    return json.empty() ? nameByMessage(payload) : json;
}

/// Reads the length that a message begins with. @return false if there is none
using ReadLength = bool (*)(const std::uint8_t *&at, const std::uint8_t *end, std::uint64_t &length);

bool readBigEndianLength(const std::uint8_t *&at, const std::uint8_t *end, std::uint64_t &length)
{
    if (end - at < 4)
        return false;
    length = 0;
    for (int i = 0; i < 4; ++i)
        length = length << 8 | *at++;
    return true;
}

bool readVarintLength(const std::uint8_t *&at, const std::uint8_t *end, std::uint64_t &length)
{
    return readVarint(at, end, length) == WireOutcome::Ok;
}

/// Messages one after the other, each behind its length: what the first of them is. The last may be torn, as
/// when its writer was killed.
std::string_view nameByChain(Bytes head, bool isWhole, ReadLength readLength)
{
    const std::uint8_t *at = head.data();
    const std::uint8_t *const end = at + head.size();
    Bytes first;
    while (at != end) {
        std::uint64_t length = 0;
        if (!readLength(at, end, length))
            return nameByPayload(first);
        const auto left = static_cast<std::uint64_t>(end - at);
        if (length > left && first.empty() && isWhole)
            return {};
        length = std::min(length, left);
        if (first.empty())
            first = {at, static_cast<std::size_t>(length)};
        at += length;
    }
    return first.empty() ? "" : nameByPayload(first);
}

} // namespace

std::string_view nameByMessages(Bytes head, bool isWhole)
{
    if (!head.empty() && head.front() == 0)
        return nameByChain(head, isWhole, readBigEndianLength);
    const std::string_view name = nameByMessage(head);
    return name.empty() ? nameByChain(head, isWhole, readVarintLength) : name;
}

} // namespace hearth
