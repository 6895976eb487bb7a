#include "model/lens/lens_quoting.h"

#include "model/lens/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace hearth {

namespace {

bool isControl(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Appends the character of the `\u{9}` at the beginning of `text`.
/// @return its length, or 0 if there is none
std::size_t takeNumberedCharacter(std::string_view text, std::string &result)
{
    constexpr std::string_view kBegin = "\\u{";
    const std::size_t end = text.substr(0, 10).find('}');
    if (!text.starts_with(kBegin) || end == std::string_view::npos)
        return 0;
    std::uint32_t codePoint = 0;
    const char *const last = text.data() + end;
    const auto [rest, error] = std::from_chars(text.data() + kBegin.size(), last, codePoint, 16);
    if (rest != last || error != std::errc() || !isScalarValue(codePoint))
        return 0;
    appendUtf8(result, codePoint);
    return end + 1;
}

std::optional<LensToken> readQuoted(std::string_view lens, std::size_t begin)
{
    LensToken token{.text = {}, .begin = begin, .end = begin, .isQuoted = true};
    for (std::size_t at = begin + 1; at < lens.size();) {
        if (lens[at] == '"') {
            token.end = at + 1;
            return token;
        }
        const std::string_view rest = lens.substr(at);
        if (rest.starts_with("\\\\") || rest.starts_with("\\\"")) {
            token.text += rest[1];
            at += 2;
        } else if (const std::size_t length = takeNumberedCharacter(rest, token.text)) {
            at += length;
        } else {
            token.text += rest[0];
            ++at;
        }
    }
    return std::nullopt;
}

/// A backslash that is not itself unless it is doubled: what follows would make an escape of it.
bool needsDoubling(std::string_view behind)
{
    return behind.empty() || behind[0] == '\\' || behind[0] == '"' || isControl(behind[0]) ||
           behind.starts_with("u{");
}

std::string numbered(char control)
{
    std::array<char, 8> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<int>(control), 16);
    return "\\u{" + std::string(digits.data(), end.ptr) + '}';
}

} // namespace

bool isBlank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

std::optional<LensToken> readToken(std::string_view lens, std::size_t at, std::string_view stops)
{
    if (lens.substr(at).starts_with('"'))
        return readQuoted(lens, at);
    std::size_t end = at;
    while (end < lens.size() && !isBlank(lens[end]) && stops.find(lens[end]) == std::string_view::npos)
        ++end;
    return LensToken{
        .text = std::string(lens.substr(at, end - at)), .begin = at, .end = end, .isQuoted = false};
}

bool canStandBare(std::string_view text, std::string_view stops)
{
    return !text.empty() && text[0] != '"' && std::ranges::none_of(text, [&](char c) {
        return c == ' ' || isControl(c) || stops.find(c) != std::string_view::npos;
    });
}

std::string quoted(std::string_view text)
{
    std::string result = "\"";
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (isControl(text[at])) {
            result += numbered(text[at]);
            continue;
        }
        if (text[at] == '"' || (text[at] == '\\' && needsDoubling(text.substr(at + 1))))
            result += '\\';
        result += text[at];
    }
    return result + '"';
}

} // namespace hearth
