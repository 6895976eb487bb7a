#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hearth::otlp {

/// Appends a string with its quotes. Bytes that are no UTF-8 become U+FFFD.
void appendJsonText(std::string &json, std::string_view text);

/// Appends a number that reads back as this one; whole ones end in ".0", so that they stay what they are.
/// REQUIRES: it is finite
void appendJsonNumber(std::string &json, double number);

} // namespace hearth::otlp
