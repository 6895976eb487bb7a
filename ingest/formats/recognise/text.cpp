#include "ingest/formats/folded_line.h"
#include "ingest/formats/perf_script_line.h"
#include "ingest/formats/recognise/kinds.h"

#include <algorithm>
#include <array>

namespace hearth {

namespace {

constexpr std::array kTextMagics{
    Magic{"heap profile:", "gperftools heap profile", 0, &kLegacyText},
    Magic{"heap_v2/", "jemalloc heap profile", 0, &kLegacyText},
    Magic{"--- heapz", "legacy Java heap profile"},
    Magic{"--- contentionz", "legacy contention profile", 0, &kLegacyText},
    Magic{"--- contention:", "legacy contention profile", 0, &kLegacyText},
    Magic{"--- mutex:", "legacy contention profile", 0, &kLegacyText},
    Magic{"--- threadz", "legacy thread profile"},
    Magic{"goroutine profile: total", "Go profile as text (goroutines)", 0, &kLegacyText},
    Magic{"threadcreate profile: total", "Go profile as text (thread creation)", 0, &kLegacyText},
    Magic{"# callgrind format", "callgrind output", 0, &kCallgrind},
    Magic{"# ========", "perf script text", 0, &kPerfScript},
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
    return end != std::string_view::npos && end - begin >= 4 && line[end] == ' ';
}

bool isPerfScriptHead(std::string_view line)
{
    const auto head = parsePerfScriptHead(line);
    return head && head->timeNs;
}

/// Frames below heads; beside frames there may be places in the source. Without times there are at least two
/// frames a head.
bool isPerfScript(std::string_view text, bool isWhole)
{
    const auto isAny = [](std::string_view line) {
        return isBlank(line.front()) || parsePerfScriptHead(line).has_value();
    };
    const LineCount frames = countLines(text, isWhole, isPerfScriptFrame);
    const bool hasHeads = countLines(text, isWhole, isPerfScriptHead).isAtLeast(80) ||
                          (countLines(text, isWhole, isPerfScriptHead).passed > 0 && frames.isAtLeast(30));
    return (hasHeads && countLines(text, isWhole, isAny).isAtLeast(80)) || frames.isAtLeast(66);
}

/// "@reads[": a stack follows.
bool isBpftraceMap(std::string_view line)
{
    return line.starts_with('@') && contains(line, "[") && !contains(line, "]");
}

/// Frames of DTrace, "module`f+0x1", with counts behind them.
bool isDtrace(std::string_view text, bool isWhole)
{
    const auto isFrame = [](std::string_view line) { return isBlank(line.front()) && contains(line, "`"); };
    const auto isCount = [](std::string_view line) {
        return isBlank(line.front()) && line.find_first_not_of(" \t0123456789") == std::string_view::npos &&
               line.find_first_of("0123456789") != std::string_view::npos;
    };
    return countLines(text, isWhole, isFrame).isAtLeast(40) && countLines(text, isWhole, isCount).passed > 0;
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
        return {"heaptrack recording", &kHeaptrack};
    if (contains(firstLine, "\tSymbol Name"))
        return {"copy from Instruments", nullptr};
    if (contains(head, "\nfn=") && contains(head, "events:"))
        return {"callgrind output", &kCallgrind};
    if (head.starts_with("desc: ") && contains(head, "\ncmd: "))
        return {"massif output", &kMassif};
    if (countLines(head, isWhole, isBpftraceMap).passed > 0 && contains(head, "]: "))
        return {"bpftrace output", &kStackText};
    if (contains(head, "\nCall graph:\n") && contains(head, "Analysis of sampling "))
        return {"call graph of macOS's sample", &kSampleText};
    if (isPerfScript(head, isWhole))
        return {"perf script text", &kPerfScript};
    if (isDtrace(head, isWhole))
        return {"stacks printed by DTrace", &kStackText};
    return {};
}

} // namespace hearth
