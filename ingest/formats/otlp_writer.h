#pragma once

#include "model/result.h"
#include "model/store/snapshot.h"

#include <cstdint>
#include <string>

namespace hearth {

/// How messages stand in a file.
enum class OtlpForm : std::uint8_t {
    Message,  ///< one message as it is; if there are several signals, as Framed
    Framed,   ///< behind their lengths in four bytes, the highest first, as the Collector's file exporter has
              ///< it
    Json,     ///< one object
    JsonLines ///< one object a line and signal, as the Collector's file exporter has it
};

/// The data set in the newest generation: a message for each signal that it has. What OTLP has no place for
/// is written as attributes.
/// @return an error if there is nothing to write
Result<std::string> otlpFile(const Snapshot &snapshot, OtlpForm form);

} // namespace hearth
