#include "model/views/short_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace hearth {

namespace {

constexpr std::string_view kOperator = "operator";

/// The name with what stands in these brackets left out; operators keep theirs.
std::string withoutBrackets(std::string_view name, char open, char close)
{
    std::string text;
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char character = name[i];
        const bool isOfOperator = depth == 0 && (text.ends_with(kOperator) || text.ends_with("operator-") ||
                                                 text.ends_with("operator<") || text.ends_with("operator>") ||
                                                 text.ends_with("operator("));
        const bool isArrow = character == '>' && i > 0 && name[i - 1] == '-';
        if (character == open && !isOfOperator) {
            ++depth;
        } else if (character == close && depth > 0 && !isArrow) {
            --depth;
        } else if (depth == 0) {
            text += character;
        }
    }
    return depth == 0 && !text.empty() ? text : std::string(name);
}

/// Parameters go, but not "(anonymous namespace)" or Go's receivers, which are followed by more of the name.
std::string withoutParameters(std::string_view name)
{
    std::size_t open = name.rfind('(');
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
        if (depth == 0 && name[i] == '(') {
            open = i;
            break;
        }
    }
    if (open == std::string_view::npos || open == 0)
        return std::string(name);
    const std::size_t close = name.rfind(')');
    const std::string_view behind =
        close == std::string_view::npos ? std::string_view() : name.substr(close + 1);
    const bool isLast = behind.empty() || behind == " const" || behind.starts_with(" [clone");
    if (!isLast || name.substr(0, open).ends_with(kOperator))
        return std::string(name);
    return std::string(name.substr(0, open));
}

/// Behind the first "::" or "/" or ".", of which there must be one more part behind.
std::string_view withoutFirstComponent(std::string_view name)
{
    const std::size_t scope = name.find("::");
    if (scope != std::string_view::npos)
        return scope + 2 < name.size() ? name.substr(scope + 2) : std::string_view();
    const std::size_t slash = name.find('/');
    if (slash != std::string_view::npos)
        return slash + 1 < name.size() ? name.substr(slash + 1) : std::string_view();
    return {};
}

bool isOfWord(char character)
{
    return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

/// Go's "Map[...]", and ABI tags; but no "[clone .cold]", no array in a type's name.
std::string withoutTypeParameters(const std::string &name)
{
    if (name.find(kOperator) != std::string::npos)
        return name;
    std::string text;
    int depth = 0;
    for (const char character : name) {
        const bool isBegin = character == '[' && (depth > 0 || (!text.empty() && isOfWord(text.back())));
        depth += isBegin ? 1 : 0;
        if (depth == 0)
            text += character;
        depth -= character == ']' && depth > 0 ? 1 : 0;
    }
    return depth == 0 ? text : name;
}

/// Where the bracket that a name begins with is closed, as in Rust's "<A<B> as C>::d".
std::size_t endOfFirstBracket(std::string_view name)
{
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool isArrow = name[i] == '>' && i > 0 && name[i - 1] == '-';
        depth += name[i] == '<' ? 1 : name[i] == '>' && !isArrow ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return std::string_view::npos;
}

std::string withoutTemplates(std::string_view name)
{
    const std::size_t end = name.starts_with('<') ? endOfFirstBracket(name) : std::string_view::npos;
    if (end == std::string_view::npos)
        return withoutTypeParameters(withoutBrackets(name, '<', '>'));
    const std::string_view rest = name.substr(end + 1);
    return '<' + withoutBrackets(name.substr(1, end - 1), '<', '>') + '>' +
           (rest.empty() ? std::string() : withoutBrackets(rest, '<', '>'));
}

/// The last two components: "Store::append". Go's packages keep their last part: "http.(*conn).serve".
std::string_view lastComponents(std::string_view name)
{
    constexpr std::string_view kBetween = "::";
    int depth = 0;
    int components = 0;
    std::size_t begin = 0;
    for (std::size_t i = name.size(); i-- > 0 && components < 2;) {
        const char character = name[i];
        depth += character == ')' || character == '}' || character == '>'   ? 1
                 : character == '(' || character == '{' || character == '<' ? -1
                                                                            : 0;
        if (depth == 0 && (character == '/' || character == ' ')) {
            begin = i + 1; // of a package, or behind the type that it returns
            break;
        }
        if (depth == 0 && i > 0 && name.substr(i - 1, 2) == kBetween && ++components == 2)
            begin = i + 1;
    }
    return name.substr(begin);
}

} // namespace

namespace {

constexpr std::array<std::pair<std::string_view, NameDetail>, 4> kWords{
    {{"full", NameDetail::Full},
     {"no-args", NameDetail::NoArguments},
     {"no-templates", NameDetail::NoTemplates},
     {"short", NameDetail::Short}}};

} // namespace

std::optional<NameDetail> nameDetail(std::string_view word)
{
    const auto *const found =
        std::ranges::find(kWords, word, &std::pair<std::string_view, NameDetail>::first);
    return found == kWords.end() ? std::nullopt : std::optional(found->second);
}

std::string_view nameOf(NameDetail detail)
{
    return std::ranges::find(kWords, detail, &std::pair<std::string_view, NameDetail>::second)->first;
}

std::string detailedName(std::string_view name, NameDetail detail)
{
    if (detail == NameDetail::Full)
        return std::string(name);
    std::string text = withoutParameters(name);
    if (detail == NameDetail::NoArguments)
        return text;
    text = withoutTemplates(text);
    const bool hasOperator = text.find(kOperator) != std::string::npos; // with blanks and brackets of its own
    return detail == NameDetail::NoTemplates || hasOperator ? text : std::string(lastComponents(text));
}

std::string shortName(std::string_view name, const std::function<bool(std::string_view)> &fits)
{
    std::string text(name);
    if (fits(text))
        return text;
    text = withoutParameters(text);
    if (fits(text))
        return text;
    text = withoutBrackets(text, '<', '>');
    std::string_view rest = text;
    while (!fits(rest)) {
        const std::string_view shorter = withoutFirstComponent(rest);
        if (shorter.empty())
            break;
        rest = shorter;
    }
    return std::string(rest);
}

} // namespace hearth
