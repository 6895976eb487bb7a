#pragma once

#include "agent/elf/file_bytes.h"

#include <string>

namespace hearth::agent {

/// What OpenTelemetry calls htlhash: SHA-256 of the first and the last 4096 bytes and the length of a file,
/// the first 16 bytes of it in hex. (specification/profiles/mappings.md)
std::string fileHash(const FileBytes &file);

} // namespace hearth::agent
