#include "model/lens/matcher.h"

#include "model/lens/utf8.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

namespace hearth {

namespace {

/// Budget for the program and its state caches. RE2's default of 8 MB is too little for counted repetitions
/// of Unicode classes, and slows large alternations down.
constexpr std::int64_t kExpressionMemory = std::int64_t(64) << 20;

re2::StringPiece piece(std::string_view text)
{
    return {text.empty() ? "" : text.data(),
            text.size()}; // no expression matches a null pointer, not even ^$
}

/// Go also writes named groups as (?<name>…), which this RE2 only knows as (?P<name>…).
std::string withKnownGroups(std::string_view expression)
{
    std::string known;
    bool isInClass = false;
    for (std::size_t at = 0; at < expression.size(); ++at) {
        const std::string_view rest = expression.substr(at);
        if (rest.size() > 1 && rest[0] == '\\') {
            known += rest.substr(0, 2);
            ++at;
            continue;
        }
        if (!isInClass && rest.starts_with("(?<") && rest.size() > 3 && rest[3] != '=' && rest[3] != '!') {
            known += "(?P<";
            at += 2;
            continue;
        }
        isInClass = rest[0] == '[' || (isInClass && rest[0] != ']');
        known += rest[0];
    }
    return known;
}

RE2::Options options()
{
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(kExpressionMemory);
    options.set_never_capture(true);
    return options;
}

class RegexTest : public Matcher::Test {
public:
    explicit RegexTest(std::string_view expression) : m_expression(withKnownGroups(expression), options()) {}

    const RE2 &expression() const { return m_expression; }

    bool matches(std::string_view text) const override
    {
        if (isUtf8(text))
            return RE2::PartialMatch(piece(text), m_expression);
        return RE2::PartialMatch(repairUtf8(text), m_expression);
    }

private:
    RE2 m_expression;
};

constexpr std::array<char, 256> foldTable()
{
    std::array<char, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = static_cast<char>(i >= 'A' && i <= 'Z' ? i - 'A' + 'a' : i);
    return table;
}

constexpr std::array<char, 256> kFolded = foldTable();

char fold(char c)
{
    return kFolded[static_cast<unsigned char>(c)];
}

std::string folded(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), fold);
    return result;
}

/// @return does `text`, folded, begin with `words`, which is?
bool beginsWith(std::string_view text, std::string_view words)
{
    return text.size() >= words.size() && std::equal(words.begin(), words.end(), text.begin(),
                                                     [](char word, char c) { return word == fold(c); });
}

class LiteralTest : public Matcher::Test {
public:
    explicit LiteralTest(std::string_view words) : m_words(folded(words)) {}

    bool matches(std::string_view text) const override
    {
        if (m_words.empty())
            return true;
        // The last character is looked at first, since names share beginnings more than ends.
        const std::size_t length = m_words.size();
        for (std::size_t at = 0; at + length <= text.size(); ++at)
            if (fold(text[at + length - 1]) == m_words.back() && beginsWith(text.substr(at), m_words))
                return true;
        return false;
    }

private:
    std::string m_words;
};

class WordTest : public Matcher::Test {
public:
    explicit WordTest(std::string_view word) : m_word(folded(word)) {}

    bool matches(std::string_view text) const override
    {
        return text.size() == m_word.size() && beginsWith(text, m_word);
    }

private:
    std::string m_word;
};

bool isAscii(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

} // namespace

Result<Matcher> Matcher::regex(std::string_view expression)
{
    auto test = std::make_shared<const RegexTest>(expression);
    if (!test->expression().ok())
        return failure(test->expression().error());
    return Matcher(std::move(test));
}

Matcher Matcher::literal(std::string_view words)
{
    if (!isAscii(words) && isUtf8(words)) // the upper and lower case of other scripts is what RE2 knows
        if (const Result<Matcher> matcher = regex("(?i)" + escapeRegex(words)))
            return *matcher;
    return Matcher(std::make_shared<const LiteralTest>(words));
}

Matcher Matcher::word(std::string_view word)
{
    return Matcher(std::make_shared<const WordTest>(word));
}

std::string escapeRegex(std::string_view text)
{
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) {
        if (std::string_view("\\.+*?()|[]{}^$").find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

} // namespace hearth
