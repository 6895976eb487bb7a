#pragma once

#include "ingest/server/request.h"

#include <chrono>
#include <string>
#include <string_view>

// The bodies of replies, as OTLP prescribes them for gRPC and HTTP.

namespace hearth {

/// Status codes of gRPC, which OTLP/HTTP's error bodies use as well.
enum class StatusCode : std::uint8_t {
    Ok = 0,
    InvalidArgument = 3,
    NotFound = 5,
    PermissionDenied = 7,
    ResourceExhausted = 8,
    Unimplemented = 12,
    Internal = 13,
    Unavailable = 14,
};

/// An Export…ServiceResponse: empty if all was accepted, else with its partial_success.
std::string exportResponse(const Reply &reply, Signal signal, Encoding encoding);

/// A google.rpc.Status; with a RetryInfo if the sender should come again.
std::string statusMessage(StatusCode code, std::string_view message, std::chrono::milliseconds retryAfter,
                          Encoding encoding);

/// The text as a JSON string, in quotes. What is no UTF-8 becomes U+FFFD.
std::string jsonString(std::string_view text);

} // namespace hearth
