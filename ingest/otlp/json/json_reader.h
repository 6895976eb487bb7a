#pragma once

#include "ingest/otlp/generation.h"
#include "ingest/otlp/signal.h"
#include "model/result.h"
#include "model/store/losses.h"

#include <string>
#include <string_view>
#include <vector>

namespace hearth::otlp {

/// A message of one signal, in Protocol Buffers.
struct WireMessage {
    Signal signal = Signal::Profiles;
    Generation generation = Generation::V1_10; ///< of profiles
    std::string bytes;
};

/// Turns OTLP's JSON into the messages that it stands for: one for each signal that it has, which in JSON may
/// be several. Values that cannot be what their key asks for are left out and counted, as are unknown keys.
/// @return an error with its place if it is no JSON
Result<std::vector<WireMessage>> readJson(std::string_view json, Losses &losses);

} // namespace hearth::otlp
