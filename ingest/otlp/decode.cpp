#include "ingest/otlp/decode.h"

#include "ingest/otlp/generation.h"
#include "ingest/otlp/profiles.h"

namespace hearth {

Result<DecodedOtlp> decodeOtlp(Signal signal, Encoding encoding, std::span<const std::uint8_t> message)
{
    if (signal != Signal::Profiles || encoding != Encoding::Protobuf)
        return failure("only profiles in Protocol Buffers are read");
    const Result<otlp::DetectedGeneration> detected = otlp::detectGeneration(message);
    if (!detected)
        return tl::unexpected(detected.error());
    DecodedOtlp decoded;
    decoded.isGuess = detected->isGuess;
    const otlp::DecodedProfiles profiles = otlp::decodeProfiles(message, detected->generation, decoded.batch);
    decoded.accepted = profiles.accepted;
    decoded.rejected = profiles.rejected;
    return decoded;
}

} // namespace hearth
