#include "ingest/otlp/decode.h"

#include "ingest/otlp/generation.h"
#include "ingest/otlp/json/json_reader.h"
#include "ingest/otlp/profiles.h"
#include "ingest/otlp/records.h"

namespace hearth {

namespace {

using Bytes = std::span<const std::uint8_t>;

void decodeProfiles(Bytes message, otlp::Generation generation, DecodedOtlp &decoded)
{
    const otlp::DecodedProfiles profiles = otlp::decodeProfiles(message, generation, decoded.batch);
    decoded.accepted += profiles.accepted;
    decoded.rejected += profiles.rejected;
}

void decodeRecords(Signal signal, Bytes message, DecodedOtlp &decoded)
{
    const auto decode = signal == Signal::Traces ? otlp::decodeTraces
                        : signal == Signal::Logs ? otlp::decodeLogs
                                                 : otlp::decodeMetrics;
    const otlp::RecordCounts counts = decode(message, decoded.batch);
    decoded.accepted += counts.accepted;
    decoded.rejected += counts.rejected;
}

Result<void> decodeProtobuf(Signal signal, Bytes message, DecodedOtlp &decoded)
{
    if (signal != Signal::Profiles) {
        const otlp::Envelope envelope(message);
        if (!envelope.isOtlp || (envelope.readable == 0 && !message.empty()))
            return failure("not a message of OTLP: no valid field at byte " +
                           std::to_string(envelope.readable));
        decodeRecords(signal, message, decoded);
        return {};
    }
    const Result<otlp::DetectedGeneration> detected = otlp::detectGeneration(message);
    if (!detected)
        return tl::unexpected(detected.error());
    decoded.isGuess = detected->isGuess;
    decodeProfiles(message, detected->generation, decoded);
    return {};
}

Result<void> decodeJson(Signal signal, Bytes text, DecodedOtlp &decoded)
{
    auto messages =
        otlp::readJson({reinterpret_cast<const char *>(text.data()), text.size()}, decoded.batch.losses);
    if (!messages)
        return tl::unexpected(messages.error());
    bool isOther = !messages->empty();
    for (const otlp::WireMessage &message : *messages) {
        if (message.signal != signal)
            continue;
        isOther = false;
        const Bytes bytes(reinterpret_cast<const std::uint8_t *>(message.bytes.data()), message.bytes.size());
        signal == Signal::Profiles ? decodeProfiles(bytes, message.generation, decoded)
                                   : decodeRecords(signal, bytes, decoded);
    }
    if (isOther)
        return failure("the JSON is a message of another signal");
    return {};
}

} // namespace

Result<DecodedOtlp> decodeOtlp(Signal signal, Encoding encoding, std::span<const std::uint8_t> message)
{
    DecodedOtlp decoded;
    const Result<void> done = encoding == Encoding::Json ? decodeJson(signal, message, decoded)
                                                         : decodeProtobuf(signal, message, decoded);
    if (!done)
        return tl::unexpected(done.error());
    return decoded;
}

} // namespace hearth
