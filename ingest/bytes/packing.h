#pragma once

#include "model/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hearth {

/// How bytes are compressed on the wire or in a file.
enum class Packing : std::uint8_t { None, Gzip, Zstd };

/// By the ending of a file's name.
Packing packingOfName(std::string_view fileName);

/// The bytes as one gzip member or one zstd frame: several of them, one behind the other, are a valid file.
std::string packed(std::span<const std::uint8_t> bytes, Packing packing);

} // namespace hearth
