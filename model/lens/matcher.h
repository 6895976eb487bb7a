#pragma once

#include "model/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace hearth {

/// Says whether a text is what one is looking for. Cheap to copy; any number of threads may ask at once.
///
/// Takes time linear in the text whatever the expression (RE2), and no more than 64 MB.
class Matcher {
public:
    /// Matches everything.
    Matcher() = default;

    /// Texts in which the expression is found anywhere. Syntax and meaning are those of Go's regexp, hence
    /// pprof's: a byte of the text that is not UTF-8 counts as the character U+FFFD, so that `.` matches it.
    static Result<Matcher> regex(std::string_view expression);

    /// Texts that contain these words, upper and lower case alike.
    static Matcher literal(std::string_view words);

    /// Texts that are this word, upper and lower case of ASCII letters alike.
    static Matcher word(std::string_view word);

    bool matches(std::string_view text) const { return m_test == nullptr || m_test->matches(text); }

    struct Test {
        virtual ~Test() = default;
        virtual bool matches(std::string_view text) const = 0;
    };

private:
    explicit Matcher(std::shared_ptr<const Test> test) : m_test(std::move(test)) {}

    std::shared_ptr<const Test> m_test;
};

/// The expression that finds `text` and nothing else. Escapes only what needs it, so that it stays readable.
std::string escapeRegex(std::string_view text);

} // namespace hearth
