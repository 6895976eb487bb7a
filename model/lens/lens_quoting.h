#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hearth {

/// What separates terms. Bytes of UTF-8 sequences never do.
bool isBlank(char c);

/// A text as it stands in a lens.
struct LensToken {
    std::string text;
    std::size_t begin = 0; ///< in bytes
    std::size_t end = 0;
    bool isQuoted = false;
};

/// Reads the token at `at`: quoted if it begins with ", else up to the next blank or character of `stops`.
/// @return nothing if a quote is not closed
std::optional<LensToken> readToken(std::string_view lens, std::size_t at, std::string_view stops = {});

/// Without quotes, would readToken() read just this text?
bool canStandBare(std::string_view text, std::string_view stops = {});

/// In quotes, on one line whatever the text: control characters are escaped.
std::string quoted(std::string_view text);

} // namespace hearth
