#include "model/lens/lens_text.h"
#include "model/lens/utf8.h"

#include <algorithm>
#include <vector>

namespace hearth {

namespace {

constexpr std::size_t kMostColumns =
    100; ///< of the text; what is left of a terminal's width is for the message
constexpr std::string_view kEllipsis = "\u2026";

/// The characters of a text as a terminal can show them, one column each: what cannot be shown is a blank.
std::vector<std::string> visibleCharacters(std::string_view text)
{
    std::vector<std::string> characters;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = decodeUtf8(text, at);
        const bool isControl = point.value < 0x20 || (point.value >= 0x7f && point.value < 0xa0);
        std::string &character = characters.emplace_back();
        appendUtf8(character, isControl ? ' ' : point.value);
        at += point.length;
    }
    return characters;
}

} // namespace

std::string pointAt(std::string_view text, const LensError &error)
{
    const std::vector<std::string> characters = visibleCharacters(text);
    const std::size_t column = std::min(error.column, characters.size());
    const std::size_t begin = characters.size() <= kMostColumns || column < kMostColumns / 2
                                  ? 0
                                  : std::min(column - kMostColumns / 2, characters.size() - kMostColumns);
    const std::size_t end = std::min(begin + kMostColumns, characters.size());
    std::string result(begin > 0 ? kEllipsis : "");
    for (std::size_t i = begin; i < end; ++i)
        result += characters[i];
    if (end < characters.size())
        result += kEllipsis;
    return result + '\n' + std::string(column - begin + (begin > 0 ? 1 : 0), ' ') + "^ " + error.message;
}

} // namespace hearth
