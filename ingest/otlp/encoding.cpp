#include "ingest/otlp/encoding.h"

#include <algorithm>
#include <array>

namespace hearth::otlp {

namespace {

using Bytes = std::span<const std::uint8_t>;

bool isBlank(std::uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

bool isControl(std::uint8_t byte)
{
    return byte < ' ';
}

Bytes withoutLeadingBlanks(Bytes text)
{
    return {std::ranges::find_if_not(text, isBlank), text.end()};
}

/// An object that begins with a key, which has no control characters, or that is empty.
bool beginsWithObject(Bytes text)
{
    if (text.empty() || text.front() != '{')
        return false;
    const Bytes inside = withoutLeadingBlanks(text.subspan(1));
    if (inside.empty() || inside.front() != '"')
        return inside.empty() || inside.front() == '}';
    const Bytes key = inside.subspan(1);
    return std::none_of(key.begin(), std::ranges::find(key, '"'), isControl);
}

} // namespace

Bytes withoutBlanks(Bytes text)
{
    constexpr std::array<std::uint8_t, 3> kByteOrderMark{0xef, 0xbb, 0xbf};
    if (text.size() >= kByteOrderMark.size() && std::ranges::equal(text.first(3), kByteOrderMark))
        text = text.subspan(3);
    text = withoutLeadingBlanks(text);
    while (!text.empty() && isBlank(text.back()))
        text = text.first(text.size() - 1);
    return text;
}

/// A brace alone does not tell: a message in protobuf whose first part has 123 bytes begins with a line feed
/// and a brace.
Encoding encodingOf(Bytes message)
{
    return beginsWithObject(withoutBlanks(message)) ? Encoding::Json : Encoding::Protobuf;
}

} // namespace hearth::otlp
