#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hearth {

struct CodePoint {
    std::uint32_t value = 0;
    std::size_t length = 0; ///< in bytes
    bool isValid = false;   ///< false: a single byte that begins no UTF-8 sequence; `value` is U+FFFD
};

/// REQUIRES: at < text.size()
CodePoint decodeUtf8(std::string_view text, std::size_t at);

bool isScalarValue(std::uint32_t codePoint);
void appendUtf8(std::string &text, std::uint32_t codePoint);

bool isUtf8(std::string_view text);
std::size_t countCodePoints(std::string_view text);

/// Every byte that is no UTF-8 becomes U+FFFD.
std::string repairUtf8(std::string_view text);

} // namespace hearth
