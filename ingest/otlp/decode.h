#pragma once

#include "ingest/otlp/signal.h"
#include "model/result.h"
#include "model/store/batch.h"

#include <cstdint>
#include <optional>
#include <span>

namespace hearth {

struct OtlpCounts {
    std::uint64_t accepted = 0; ///< profiles, spans, log records or data points
    std::uint64_t rejected = 0;
    bool isGuess = false; ///< the bytes fit several generations; see Batch::origin for which was taken
};

struct DecodedOtlp : OtlpCounts {
    Batch batch;
};

/// Reads an OTLP message: data or a request, of any generation. Bad records are left out and counted among
/// the batch's losses.
/// @return an error if nothing of it can be read
Result<DecodedOtlp> decodeOtlp(Signal signal, Encoding encoding, std::span<const std::uint8_t> message);

/// Adds a message to what a batch has already. Without a signal, the message tells; in JSON it may have
/// several.
Result<OtlpCounts> addOtlp(std::optional<Signal> signal, Encoding encoding,
                           std::span<const std::uint8_t> message, Batch &batch);

} // namespace hearth
