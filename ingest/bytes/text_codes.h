#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Bytes as text.

namespace hearth {

/// Two lower-case digits a byte.
std::string hexOf(std::span<const std::uint8_t> bytes);
/// @return nothing if it is no even number of hexadecimal digits of either case
std::optional<std::string> bytesOfHex(std::string_view hex);

std::string base64Of(std::span<const std::uint8_t> bytes);
/// Of the usual alphabet or that of URLs, with or without padding.
std::optional<std::string> bytesOfBase64(std::string_view text);

} // namespace hearth
