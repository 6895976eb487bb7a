#pragma once

#include "ingest/client/client.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace hearth {

/// Reads the partial_success of an Export…ServiceResponse in protobuf.
void readPartialSuccess(std::span<const std::uint8_t> response, SendAnswer &answer);

/// Reads the RetryInfo of a google.rpc.Status in protobuf, if it has one.
std::chrono::milliseconds retryDelay(std::span<const std::uint8_t> status);

/// Reads the message of a google.rpc.Status in protobuf.
std::string_view statusText(std::span<const std::uint8_t> status);

} // namespace hearth
