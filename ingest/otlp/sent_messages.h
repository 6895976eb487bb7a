#pragma once

#include "ingest/otlp/conformance.h"
#include "ingest/otlp/generation.h"
#include "ingest/otlp/signal.h"
#include "model/result.h"
#include "model/store/losses.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hearth::otlp {

/// A message of one signal, as protobuf.
struct SentMessage {
    Signal signal = Signal::Profiles;
    Generation generation = Generation::V1_10; ///< of profiles
    bool isGuess = false;                      ///< the bytes fit several generations
    Bytes bytes = {};
    std::shared_ptr<const std::string> translation = {}; ///< what the bytes are in, if JSON was sent
};

/// What was sent: one message, or in JSON one for each signal that is in it.
/// @param told the signal, where a sender said it; others are left out then
/// REQUIRES: `message` outlives what is returned
Result<std::vector<SentMessage>> sentMessages(std::optional<Signal> told, Encoding encoding, Bytes message,
                                              Losses &losses);

std::string_view nameOf(Signal signal);

std::vector<Finding> findingsOf(const SentMessage &message);

} // namespace hearth::otlp
