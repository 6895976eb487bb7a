#include "ingest/formats/text_encoding.h"

#include "model/lens/utf8.h"

namespace hearth {

namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

} // namespace

TextEncoding encodingOf(std::span<const std::uint8_t> head)
{
    if (head.size() >= 3 && head[0] == 0xef && head[1] == 0xbb && head[2] == 0xbf)
        return TextEncoding::Utf8WithMark;
    if (head.size() < 2)
        return TextEncoding::Bytes;
    if ((head[0] == 0xff && head[1] == 0xfe) ||
        (head[0] != 0 && head[1] == 0 && head.size() >= 4 && head[3] == 0))
        return TextEncoding::Utf16Little;
    if ((head[0] == 0xfe && head[1] == 0xff) ||
        (head[0] == 0 && head[1] >= ' ' && head.size() >= 4 && head[2] == 0))
        return TextEncoding::Utf16Big;
    return TextEncoding::Bytes;
}

std::size_t markLength(std::span<const std::uint8_t> head, TextEncoding encoding)
{
    switch (encoding) {
    case TextEncoding::Utf8WithMark:
        return 3;
    case TextEncoding::Utf16Little:
        return head[0] == 0xff ? 2 : 0;
    case TextEncoding::Utf16Big:
        return head[0] == 0xfe ? 2 : 0;
    case TextEncoding::Bytes:
        break;
    }
    return 0;
}

void appendUtf16(std::string &text, std::span<const std::uint8_t> bytes, TextEncoding encoding)
{
    const bool isBig = encoding == TextEncoding::Utf16Big;
    const auto unitAt = [&](std::size_t i) {
        return static_cast<std::uint32_t>(bytes[i + (isBig ? 1 : 0)] | (bytes[i + (isBig ? 0 : 1)] << 8));
    };
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        const std::uint32_t unit = unitAt(i);
        const bool isHigh = unit >= 0xd800 && unit < 0xdc00;
        const std::uint32_t low = isHigh && i + 3 < bytes.size() ? unitAt(i + 2) : 0;
        if (isHigh && low >= 0xdc00 && low < 0xe000) {
            appendUtf8(text, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
            i += 2;
        } else {
            appendUtf8(text, unit >= 0xd800 && unit < 0xe000 ? kReplacement : unit);
        }
    }
}

} // namespace hearth
