#include "ingest/formats/folded_line.h"

#include <charconv>
#include <cmath>

namespace hearth {

namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(kBlanks);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::optional<double> takeNumber(std::string_view &line)
{
    const std::size_t blank = line.find_last_of(kBlanks);
    if (blank == std::string_view::npos)
        return std::nullopt;
    const std::string_view text = line.substr(blank + 1);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
        return std::nullopt;
    line = trimmed(line.substr(0, blank));
    return number;
}

} // namespace

std::optional<FoldedLine> parseFoldedLine(std::string_view line)
{
    line = trimmed(line);
    FoldedLine parsed;
    parsed.stack = line;
    if (const auto last = takeNumber(parsed.stack)) {
        parsed.hasCount = true;
        parsed.count = *last;
        parsed.stackWithNumber = parsed.stack;
        if (const auto before = takeNumber(parsed.stack)) {
            parsed.count = *before;
            parsed.second = last;
        }
    }
    if (parsed.stack.empty())
        return std::nullopt;
    return parsed;
}

FoldedFrame parseFoldedFrame(std::string_view text)
{
    FoldedFrame frame{text, {}, false};
    if (text.size() <= 4 || !text.ends_with(']') || text.substr(text.size() - 4, 2) != "_[")
        return frame;
    switch (text[text.size() - 2]) {
    case 'k':
        frame.kind = "kernel";
        break;
    case 'j':
        frame.kind = "jit";
        break;
    case 'i':
        frame.isInlined = true;
        break;
    default:
        return frame;
    }
    frame.name = text.substr(0, text.size() - 4);
    return frame;
}

} // namespace hearth
