#include "model/views/short_name.h"

#include <vector>

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

} // namespace

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
