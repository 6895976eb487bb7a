#include "app/cli/json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace hearth::cli {

namespace {

/// @return the length of the UTF-8 character at the front, 0 if there is none
std::size_t utf8Length(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80)
        return 1;
    const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
    if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    const bool isOverlong = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
    const bool isSurrogate = byte(0) == 0xed && byte(1) >= 0xa0;
    const bool isTooLarge = byte(0) == 0xf4 && byte(1) >= 0x90;
    return isOverlong || isSurrogate || isTooLarge ? 0 : length;
}

} // namespace

Json &Json::open(char bracket)
{
    separate();
    m_out += bracket;
    m_needsComma = false;
    return *this;
}

Json &Json::close(char bracket)
{
    m_out += bracket;
    m_needsComma = true;
    return *this;
}

Json &Json::key(std::string_view name)
{
    separate();
    quote(name);
    m_out += ':';
    m_needsComma = false;
    return *this;
}

Json &Json::real(double value)
{
    if (!std::isfinite(value))
        return raw("null");
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return raw({digits.data(), end});
}

Json &Json::text(std::string_view value)
{
    separate();
    quote(value);
    m_needsComma = true;
    return *this;
}

Json &Json::raw(std::string_view value)
{
    separate();
    m_out += value;
    m_needsComma = true;
    return *this;
}

void Json::separate()
{
    if (m_needsComma)
        m_out += ',';
}

void Json::quote(std::string_view value)
{
    m_out += '"';
    while (!value.empty()) {
        const auto byte = static_cast<unsigned char>(value[0]);
        const std::size_t length = utf8Length(value);
        if (byte == '"' || byte == '\\') {
            m_out += '\\';
            m_out += value[0];
        } else if (byte < 0x20 || length == 0) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04x", byte);
            m_out += escape.data();
        } else {
            m_out += value.substr(0, length);
        }
        value.remove_prefix(length == 0 ? 1 : length);
    }
    m_out += '"';
}

} // namespace hearth::cli
