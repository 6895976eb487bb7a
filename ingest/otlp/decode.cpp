#include "ingest/otlp/decode.h"

#include "ingest/otlp/generation.h"
#include "ingest/otlp/json/json_reader.h"
#include "ingest/otlp/profiles.h"
#include "ingest/otlp/records.h"
#include "ingest/otlp/signal_of.h"

namespace hearth {

namespace {

using Bytes = std::span<const std::uint8_t>;

OtlpCounts addProfiles(Bytes message, otlp::Generation generation, Batch &batch)
{
    const otlp::DecodedProfiles counts = otlp::decodeProfiles(message, generation, batch);
    return {.accepted = counts.accepted, .rejected = counts.rejected};
}

OtlpCounts addRecords(Signal signal, Bytes message, Batch &batch)
{
    const auto decode = signal == Signal::Traces ? otlp::decodeTraces
                        : signal == Signal::Logs ? otlp::decodeLogs
                                                 : otlp::decodeMetrics;
    const otlp::RecordCounts counts = decode(message, batch);
    return {.accepted = counts.accepted, .rejected = counts.rejected};
}

Result<OtlpCounts> addProtobuf(std::optional<Signal> told, Bytes message, Batch &batch)
{
    const Signal signal = told.value_or(otlp::signalOf(message));
    if (signal != Signal::Profiles) {
        const otlp::Envelope envelope(message);
        if (!envelope.isOtlp || (envelope.readable == 0 && !message.empty()))
            return failure("not a message of OTLP: no valid field at byte " +
                           std::to_string(envelope.readable));
        return addRecords(signal, message, batch);
    }
    const Result<otlp::DetectedGeneration> detected = otlp::detectGeneration(message);
    if (!detected)
        return tl::unexpected(detected.error());
    OtlpCounts counts = addProfiles(message, detected->generation, batch);
    counts.isGuess = detected->isGuess;
    return counts;
}

Result<OtlpCounts> addJson(std::optional<Signal> signal, Bytes text, Batch &batch)
{
    const auto messages =
        otlp::readJson({reinterpret_cast<const char *>(text.data()), text.size()}, batch.losses);
    if (!messages)
        return tl::unexpected(messages.error());
    OtlpCounts counts;
    bool isOther = !messages->empty();
    for (const otlp::WireMessage &message : *messages) {
        if (signal && message.signal != *signal)
            continue;
        isOther = false;
        const Bytes bytes(reinterpret_cast<const std::uint8_t *>(message.bytes.data()), message.bytes.size());
        const OtlpCounts added = message.signal == Signal::Profiles
                                     ? addProfiles(bytes, message.generation, batch)
                                     : addRecords(message.signal, bytes, batch);
        counts.accepted += added.accepted;
        counts.rejected += added.rejected;
    }
    if (isOther)
        return failure("the JSON is a message of another signal");
    return counts;
}

} // namespace

Result<OtlpCounts> addOtlp(std::optional<Signal> signal, Encoding encoding,
                           std::span<const std::uint8_t> message, Batch &batch)
{
    return encoding == Encoding::Json ? addJson(signal, message, batch) : addProtobuf(signal, message, batch);
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
