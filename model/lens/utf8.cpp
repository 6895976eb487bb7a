#include "model/lens/utf8.h"

#include <cstring>

namespace hearth {

namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

std::size_t sequenceLength(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead <= 0xdf)
        return 2;
    if (lead >= 0xe0 && lead <= 0xef)
        return 3;
    return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/// Skips eight bytes at a time, since nearly all names are ASCII.
std::size_t asciiLength(std::string_view text)
{
    std::size_t at = 0;
    for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
        std::memcpy(&word, text.data() + at, sizeof word);
        if ((word & 0x8080808080808080ULL) != 0)
            break;
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80)
        ++at;
    return at;
}

} // namespace

bool isScalarValue(std::uint32_t codePoint)
{
    return codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
}

CodePoint decodeUtf8(std::string_view text, std::size_t at)
{
    static constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const CodePoint invalid{.value = kReplacement, .length = 1, .isValid = false};
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = sequenceLength(lead);
    if (length == 0 || length > text.size() - at)
        return invalid;
    if (length == 1)
        return {.value = lead, .length = 1, .isValid = true};
    std::uint32_t value = lead & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[at + i]);
        if ((byte & 0xc0U) != 0x80)
            return invalid;
        value = (value << 6U) | (byte & 0x3fU);
    }
    if (value < kSmallest[length] || !isScalarValue(value))
        return invalid;
    return {.value = value, .length = length, .isValid = true};
}

void appendUtf8(std::string &text, std::uint32_t codePoint)
{
    const auto append = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (codePoint < 0x80) {
        append(codePoint);
    } else if (codePoint < 0x800) {
        append(0xc0U | (codePoint >> 6U));
        append(0x80U | (codePoint & 0x3fU));
    } else if (codePoint < 0x10000) {
        append(0xe0U | (codePoint >> 12U));
        append(0x80U | ((codePoint >> 6U) & 0x3fU));
        append(0x80U | (codePoint & 0x3fU));
    } else {
        append(0xf0U | (codePoint >> 18U));
        append(0x80U | ((codePoint >> 12U) & 0x3fU));
        append(0x80U | ((codePoint >> 6U) & 0x3fU));
        append(0x80U | (codePoint & 0x3fU));
    }
}

bool isUtf8(std::string_view text)
{
    for (std::size_t at = asciiLength(text); at < text.size();) {
        const CodePoint point = decodeUtf8(text, at);
        if (!point.isValid)
            return false;
        at += point.length;
    }
    return true;
}

std::size_t countCodePoints(std::string_view text)
{
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count)
        at += decodeUtf8(text, at).length;
    return count;
}

std::string repairUtf8(std::string_view text)
{
    std::string repaired;
    repaired.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = decodeUtf8(text, at);
        if (point.isValid)
            repaired += text.substr(at, point.length);
        else
            appendUtf8(repaired, kReplacement);
        at += point.length;
    }
    return repaired;
}

} // namespace hearth
