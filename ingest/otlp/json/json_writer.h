#pragma once

#include "ingest/otlp/json/json_reader.h"

#include <span>
#include <string>

namespace hearth::otlp {

/// These messages as one JSON object on one line, without a line break: 64-bit numbers in quotes, ids in
/// hexadecimal (those of profiles, too, as the Collector does), enumerations as numbers. Bytes that are no
/// UTF-8 become U+FFFD.
/// REQUIRES: at most one message per signal.
std::string jsonOf(std::span<const WireMessage> messages);

} // namespace hearth::otlp
