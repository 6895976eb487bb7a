#pragma once

#include "ingest/server/reply_text.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// What the two services say that every gRPC server should have: health checking and reflection.
//   grpc.health.v1.Health: Check, Watch     HealthCheckRequest {1 service} → HealthCheckResponse {1 status}
//   grpc.reflection.v1(alpha).ServerReflection: ServerReflectionInfo, a stream of requests and responses

namespace hearth {

inline constexpr std::string_view kHealthCheckMethod = "/grpc.health.v1.Health/Check";
inline constexpr std::string_view kHealthWatchMethod = "/grpc.health.v1.Health/Watch";
bool isReflectionMethod(std::string_view method);

/// Whether there is a service of that name; the empty one is the server as a whole.
bool isService(std::string_view name);

struct HealthReply {
    StatusCode code = StatusCode::Ok;
    std::string message;
};
HealthReply healthReply(std::span<const std::uint8_t> request);

/// Of a service that is there, or of one that is not (which Watch is told in a message).
std::string healthResponse(bool isKnown);

/// Lists services and describes them.
std::string reflectionResponse(std::span<const std::uint8_t> request);

} // namespace hearth
