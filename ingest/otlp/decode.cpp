#include "ingest/otlp/decode.h"

#include "ingest/otlp/profiles.h"
#include "ingest/otlp/records.h"
#include "ingest/otlp/sent_messages.h"

namespace hearth {

namespace {

otlp::RecordCounts added(const otlp::SentMessage &message, Batch &batch)
{
    switch (message.signal) {
    case Signal::Profiles: {
        const auto counts = otlp::decodeProfiles(message.bytes, message.generation, batch);
        return {.accepted = counts.accepted, .rejected = counts.rejected};
    }
    case Signal::Traces:
        return otlp::decodeTraces(message.bytes, batch);
    case Signal::Logs:
        return otlp::decodeLogs(message.bytes, batch);
    case Signal::Metrics:
        break;
    }
    return otlp::decodeMetrics(message.bytes, batch);
}

} // namespace

Result<OtlpCounts> addOtlp(std::optional<Signal> signal, Encoding encoding,
                           std::span<const std::uint8_t> message, Batch &batch)
{
    const auto messages = otlp::sentMessages(signal, encoding, message, batch.losses);
    if (!messages)
        return tl::unexpected(messages.error());
    OtlpCounts counts;
    for (const otlp::SentMessage &sent : *messages) {
        const otlp::RecordCounts ofMessage = added(sent, batch);
        counts.accepted += ofMessage.accepted;
        counts.rejected += ofMessage.rejected;
        counts.isGuess |= sent.isGuess;
    }
    return counts;
}

Result<DecodedOtlp> decodeOtlp(Signal signal, Encoding encoding, std::span<const std::uint8_t> message)
{
    DecodedOtlp decoded;
    const Result<OtlpCounts> counts = addOtlp(signal, encoding, message, decoded.batch);
    if (!counts)
        return tl::unexpected(counts.error());
    static_cast<OtlpCounts &>(decoded) = *counts;
    return decoded;
}

} // namespace hearth
