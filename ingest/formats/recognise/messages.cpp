#include "ingest/bytes/message_fields.h"
#include "ingest/formats/recognise/kinds.h"
#include "ingest/otlp/signal_of.h"

#include <algorithm>
#include <array>

namespace hearth {

namespace {

using Bytes = std::span<const std::uint8_t>;

/// By one record of OTLP: a profile, a span, a log record or a metric.
std::string_view nameByOtlpRecord(Bytes record)
{
    constexpr std::array<std::string_view, 4> kNames{kOtlpProfiles, "file of OTLP traces",
                                                     "file of OTLP logs", "file of OTLP metrics"};
    const Signal signal = otlp::signalOfRecord(MessageFields(record)).value_or(Signal::Profiles);
    return kNames[static_cast<std::size_t>(signal)];
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
    const std::string_view json = byJson(textOf(payload)).name;
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

std::string_view nameByMessages(Bytes head, bool isWhole)
{
    if (!head.empty() && head.front() == 0)
        return nameByChain(head, isWhole, readBigEndianLength);
    const std::string_view name = nameByMessage(head);
    return name.empty() ? nameByChain(head, isWhole, readVarintLength) : name;
}

} // namespace

Recognition byMessages(Bytes head, bool isWhole)
{
    const std::string_view name = nameByMessages(head, isWhole);
    return {name, name.starts_with("file of OTLP ") ? &kOtlp : nullptr};
}

} // namespace hearth
