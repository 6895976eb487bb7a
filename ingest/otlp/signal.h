#pragma once

#include <cstdint>

namespace hearth {

/// What an OTLP message carries.
enum class Signal : std::uint8_t { Profiles, Traces, Logs, Metrics };

enum class Encoding : std::uint8_t { Protobuf, Json };

} // namespace hearth
