#include "ingest/symbols/jit_name.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace hearth {

namespace {

constexpr std::string_view kNameless = "(anonymous)";

/// A number behind the last colon, which is taken off together with it.
std::optional<std::int64_t> takeNumber(std::string_view &text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos)
        return std::nullopt;
    std::int64_t number = 0;
    const char *end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data() + colon + 1, end, number);
    if (error != std::errc() || last != end)
        return std::nullopt;
    text = text.substr(0, colon);
    return number;
}

/// `/srv/fib.js:3:13`, the column being no part of what is told.
void setPlace(JitName &name, std::string_view place)
{
    if (const auto last = takeNumber(place))
        name.line = takeNumber(place).value_or(*last);
    name.file = place;
}

JitName parseV8(std::string_view text)
{
    constexpr std::string_view kTiers = "*~^+'";
    if (!text.empty() && kTiers.find(text[0]) != std::string_view::npos)
        text.remove_prefix(1);
    JitName name;
    name.kind = "v8js";
    const std::size_t blank = text.find(' ');
    name.name = text.substr(0, blank);
    if (blank != std::string_view::npos)
        setPlace(name, text.substr(blank + 1));
    if (name.name.empty())
        name.name = kNameless;
    return name;
}

JitName parsePython(std::string_view text)
{
    JitName name;
    name.kind = "cpython";
    const std::size_t colon = text.find(':');
    name.name = text.substr(0, colon);
    if (colon != std::string_view::npos)
        name.file = text.substr(colon + 1);
    return name;
}

} // namespace

JitName parseJitName(std::string_view text)
{
    constexpr std::array<std::string_view, 5> kV8{"LazyCompile:", "Function:", "JS:", "Script:", "Eval:"};
    constexpr std::string_view kPython = "py::";
    for (const std::string_view prefix : kV8)
        if (text.starts_with(prefix))
            return parseV8(text.substr(prefix.size()));
    if (text.starts_with(kPython))
        return parsePython(text.substr(kPython.size()));
    return {.name = std::string(text), .file = {}, .line = 0, .kind = {}};
}

} // namespace hearth
