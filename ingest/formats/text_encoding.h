#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace hearth {

enum class TextEncoding : std::uint8_t { Bytes, Utf8WithMark, Utf16Little, Utf16Big };

/// By the mark at the beginning; without one, by where the zeros of ASCII characters are.
TextEncoding encodingOf(std::span<const std::uint8_t> head);

/// How many bytes the mark takes.
std::size_t markLength(std::span<const std::uint8_t> head, TextEncoding encoding);

/// Appends UTF-16 as UTF-8; what is not valid becomes U+FFFD. An odd byte at the end is left out.
void appendUtf16(std::string &text, std::span<const std::uint8_t> bytes, TextEncoding encoding);

} // namespace hearth
