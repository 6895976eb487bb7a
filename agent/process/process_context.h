#pragma once

#include <cstdint>
#include <string>

namespace hearth::agent {

/// What a process says of itself: OpenTelemetry's process context (OTEP 4719), a mapping called OTEL_CTX that
/// points to a message. Reads its memory, which needs CAP_SYS_PTRACE for other users' processes.
/// @return the bytes of an OTLP Resource; empty if it says nothing, or is changing it just now
std::string publishedResource(std::uint32_t process);

} // namespace hearth::agent
