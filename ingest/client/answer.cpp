#include "ingest/client/answer.h"

#include "ingest/bytes/wire.h"

namespace hearth {

namespace {

/// The last payload of a field; empty if there is none.
std::span<const std::uint8_t> payload(std::span<const std::uint8_t> message, std::uint32_t number)
{
    std::span<const std::uint8_t> found;
    WireReader reader(message);
    for (WireField field; reader.next(field);)
        if (field.number == number && field.isBytes())
            found = field.bytes;
    return found;
}

std::uint64_t number(std::span<const std::uint8_t> message, std::uint32_t number)
{
    std::uint64_t found = 0;
    WireReader reader(message);
    for (WireField field; reader.next(field);)
        if (field.number == number && field.isVarint())
            found = field.number64;
    return found;
}

std::string_view text(std::span<const std::uint8_t> bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace

void readPartialSuccess(std::span<const std::uint8_t> response, SendAnswer &answer)
{
    const auto partial = payload(response, 1);
    answer.rejected = static_cast<std::int64_t>(number(partial, 1));
    answer.message = text(payload(partial, 2));
}

std::chrono::milliseconds retryDelay(std::span<const std::uint8_t> status)
{
    constexpr std::string_view kType = "type.googleapis.com/google.rpc.RetryInfo";
    WireReader reader(status);
    for (WireField detail; reader.next(detail);) {
        if (detail.number != 3 || !detail.isBytes() || text(payload(detail.bytes, 1)) != kType)
            continue;
        const auto duration = payload(payload(detail.bytes, 2), 1);
        return std::chrono::milliseconds(number(duration, 1) * 1000 + number(duration, 2) / 1'000'000);
    }
    return {};
}

std::string_view statusText(std::span<const std::uint8_t> status)
{
    return text(payload(status, 2));
}

} // namespace hearth
