#include "ingest/formats/folded_line.h"
#include "ingest/formats/recognise/kinds.h"

#include <algorithm>
#include <array>

namespace hearth {

namespace {

constexpr std::array kTextMagics{
    Magic{"heap profile:", "gperftools heap profile"},
    Magic{"heap_v2/", "jemalloc heap profile"},
    Magic{"--- heapz", "legacy Java heap profile"},
    Magic{"--- contentionz", "legacy contention profile"},
    Magic{"--- contention:", "legacy contention profile"},
    Magic{"--- mutex:", "legacy contention profile"},
    Magic{"--- threadz", "legacy thread profile"},
    Magic{"goroutine profile: total", "Go profile as text (goroutines)"},
    Magic{"threadcreate profile: total", "Go profile as text (thread creation)"},
    Magic{"# callgrind format", "callgrind output"},
    Magic{"# ========", "perf script text"},
    Magic{"v8-version,", "V8 log"},
    Magic{"*version\n", "method trace of Android"},
    Magic{"<!DOCTYPE", "web page (HTML)"},
    Magic{"<!doctype", "web page (HTML)"},
    Magic{"<html", "web page (HTML)"},
    Magic{"<svg", "SVG picture"},
    Magic{"<?xml", "file in XML"},
};

struct LineCount {
    std::size_t lines = 0;
    std::size_t passed = 0;

    bool isAtLeast(std::size_t percent) const { return passed > 0 && passed * 100 >= lines * percent; }
};

/// Calls `test` with each of the first whole lines that is neither empty nor a comment.
template <class Test>
LineCount countLines(std::string_view text, bool isWhole, Test test)
{
    constexpr std::size_t kEnough = 200;
    LineCount count;
    while (!text.empty() && count.lines < kEnough) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos && !isWhole && count.lines > 0)
            break;
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty() || line == "#" || line.starts_with("# "))
            continue;
        ++count.lines;
        count.passed += test(line);
    }
    return count;
}

bool isBlank(char character)
{
    return character == ' ' || character == '\t';
}

/// "	ffffffff81 do_it+0x1 ([kernel])"
bool isPerfScriptFrame(std::string_view line)
{
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == 0 || begin == std::string_view::npos)
        return false;
    const std::size_t end = line.find_first_not_of("0123456789abcdef", begin);
    return end != std::string_view::npos && end - begin >= 4 && line[end] == ' ' && line.ends_with(')');
}

/// "prog 1234/1235 [002] 12.345678: 250000 cycles:"
bool isPerfScriptHeader(std::string_view line)
{
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos)
        return false;
    const std::string_view before = line.substr(0, colon);
    const std::size_t blank = before.find_last_of(' ');
    if (blank == std::string_view::npos)
        return false;
    const std::string_view time = before.substr(blank + 1);
    return time.find_first_not_of("0123456789.") == std::string_view::npos &&
           std::ranges::count(time, '.') == 1 && before.find_first_of("0123456789") < blank;
}

bool isFoldedWithCount(std::string_view line)
{
    return !isBlank(line.front()) && parseFoldedLine(line).value_or(FoldedLine()).hasCount;
}

/// Without a count only the separator tells; but lines of programs end in it.
bool isFoldedWithoutCount(std::string_view line)
{
    return !isBlank(line.front()) && !line.ends_with(';') && contains(line, ";");
}

/// Two hexadecimal numbers behind "v ".
bool isHeaptrack(std::string_view firstLine)
{
    if (!firstLine.starts_with("v "))
        return false;
    const std::string_view numbers = firstLine.substr(2);
    return numbers.find_first_not_of("0123456789abcdef ") == std::string_view::npos &&
           std::ranges::count(numbers, ' ') == 1;
}

} // namespace

bool isText(std::string_view head, std::size_t most)
{
    return static_cast<std::size_t>(std::ranges::count_if(head, [](char character) {
               return static_cast<unsigned char>(character) < 0x20 &&
                      !contains("\n\r\t\f\x1b", {&character, 1});
           })) <= most;
}

bool isFolded(std::string_view head, bool isWhole)
{
    if (countLines(head, isWhole, isFoldedWithCount).isAtLeast(contains(head, ";") ? 50 : 90))
        return true;
    const auto isEither = [](std::string_view line) {
        return isFoldedWithCount(line) || isFoldedWithoutCount(line);
    };
    return countLines(head, isWhole, isEither).isAtLeast(90);
}

Recognition byText(std::string_view head, bool isWhole)
{
    if (const Recognition known = byMagic(kTextMagics, head); !known.name.empty())
        return known;
    const std::string_view firstLine = head.substr(0, head.find_first_of("\r\n"));
    if (isHeaptrack(firstLine))
        return {"heaptrack recording", nullptr};
    if (contains(firstLine, "\tSymbol Name"))
        return {"copy from Instruments", nullptr};
    if (contains(head, "\nfn=") && contains(head, "events:"))
        return {"callgrind output", nullptr};
    if (head.starts_with("desc: ") && contains(head, "\ncmd: "))
        return {"massif output", nullptr};
    if ((head.starts_with("@[") || contains(head, "\n@[")) && contains(head, "]: "))
        return {"bpftrace output", nullptr};
    const auto isPerfScript = [](std::string_view line) {
        return isPerfScriptFrame(line) || isPerfScriptHeader(line);
    };
    if (countLines(head, isWhole, isPerfScript).isAtLeast(80))
        return {"perf script text", nullptr};
    return {};
}

} // namespace hearth
