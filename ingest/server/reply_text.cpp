#include "ingest/server/reply_text.h"

#include "ingest/bytes/wire_writer.h"
#include "model/lens/utf8.h"

#include <cstdio>

namespace hearth {

namespace {

enum class ExportResponseField { PartialSuccess = 1 };
enum class PartialSuccessField { Rejected = 1, ErrorMessage = 2 };
enum class StatusField { Code = 1, Message = 2, Details = 3 };
enum class AnyField { TypeUrl = 1, Value = 2 };
enum class RetryInfoField { RetryDelay = 1 };
enum class DurationField { Seconds = 1, Nanos = 2 };

constexpr std::string_view kRetryInfoType = "type.googleapis.com/google.rpc.RetryInfo";

std::string_view rejectedKey(Signal signal)
{
    switch (signal) {
    case Signal::Profiles:
        return "rejectedProfiles";
    case Signal::Traces:
        return "rejectedSpans";
    case Signal::Logs:
        return "rejectedLogRecords";
    case Signal::Metrics:
        return "rejectedDataPoints";
    }
    return {};
}

std::string retryInfo(std::chrono::milliseconds delay)
{
    std::string duration;
    WireWriter writer(duration);
    writer.number(DurationField::Seconds, static_cast<std::uint64_t>(delay.count() / 1000));
    writer.number(DurationField::Nanos, static_cast<std::uint64_t>(delay.count() % 1000 * 1'000'000));
    std::string info;
    WireWriter(info).bytes(RetryInfoField::RetryDelay, duration);
    std::string any;
    WireWriter(any).bytes(AnyField::TypeUrl, kRetryInfoType);
    WireWriter(any).bytes(AnyField::Value, info);
    return any;
}

std::string jsonSeconds(std::chrono::milliseconds delay)
{
    const std::string thousandths = std::to_string(1000 + delay.count() % 1000).substr(1);
    return std::to_string(delay.count() / 1000) + '.' + thousandths + 's';
}

} // namespace

std::string exportResponse(const Reply &reply, Signal signal, Encoding encoding)
{
    const bool isWhole = reply.rejected == 0 && reply.message.empty();
    if (encoding == Encoding::Json) {
        if (isWhole)
            return "{}";
        return "{\"partialSuccess\":{\"" + std::string(rejectedKey(signal)) + "\":\"" +
               std::to_string(reply.rejected) + "\",\"errorMessage\":" + jsonString(reply.message) + "}}";
    }
    std::string response;
    if (isWhole)
        return response;
    std::string partial;
    WireWriter(partial).number(PartialSuccessField::Rejected, static_cast<std::uint64_t>(reply.rejected));
    WireWriter(partial).bytes(PartialSuccessField::ErrorMessage, repairUtf8(reply.message));
    WireWriter(response).bytes(ExportResponseField::PartialSuccess, partial);
    return response;
}

std::string statusMessage(StatusCode code, std::string_view message, std::chrono::milliseconds retryAfter,
                          Encoding encoding)
{
    if (encoding == Encoding::Json) {
        std::string json =
            "{\"code\":" + std::to_string(static_cast<int>(code)) + ",\"message\":" + jsonString(message);
        if (retryAfter.count() > 0)
            json += ",\"details\":[{\"@type\":\"" + std::string(kRetryInfoType) + "\",\"retryDelay\":\"" +
                    jsonSeconds(retryAfter) + "\"}]";
        return json + '}';
    }
    std::string status;
    WireWriter writer(status);
    writer.number(StatusField::Code, static_cast<std::uint64_t>(code));
    writer.bytes(StatusField::Message, repairUtf8(message));
    if (retryAfter.count() > 0)
        writer.bytes(StatusField::Details, retryInfo(retryAfter));
    return status;
}

std::string jsonString(std::string_view text)
{
    std::string json = "\"";
    for (const char c : repairUtf8(text)) {
        if (c == '"' || c == '\\')
            json += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) {
            json += c;
            continue;
        }
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
        json += escape;
    }
    return json + '"';
}

} // namespace hearth
