#pragma once

#include "ingest/otlp/signal.h"

#include <cstdint>
#include <span>

namespace hearth::otlp {

/// Without the byte order mark and the blanks that may surround JSON; empty if there is nothing else.
std::span<const std::uint8_t> withoutBlanks(std::span<const std::uint8_t> text);

/// How a message is written of which nobody says it.
Encoding encodingOf(std::span<const std::uint8_t> message);

} // namespace hearth::otlp
