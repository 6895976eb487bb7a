#include "ingest/otlp/json/json_text.h"

#include "model/lens/utf8.h"

#include <array>
#include <charconv>

namespace hearth::otlp {

void appendJsonText(std::string &json, std::string_view text)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string repaired;
    if (!isUtf8(text)) {
        repaired = repairUtf8(text);
        text = repaired;
    }
    json += '"';
    for (const char character : text) {
        const auto code = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\')
            (json += '\\') += character;
        else if (code < ' ')
            ((json += "\\u00") += kHex[code >> 4]) += kHex[code & 15];
        else
            json += character;
    }
    json += '"';
}

void appendJsonNumber(std::string &json, double number)
{
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
    const std::string_view digits(text.data(), static_cast<std::size_t>(end - text.data()));
    json += digits;
    if (digits.find_first_of(".e") == std::string_view::npos)
        json += ".0";
}

} // namespace hearth::otlp
