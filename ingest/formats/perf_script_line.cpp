#include "ingest/formats/perf_script_line.h"

#include <algorithm>
#include <charconv>

namespace hearth {

namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// Takes the first word off.
std::string_view takeWord(std::string_view &text)
{
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    return word;
}

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
        return std::nullopt;
    return number;
}

/// "1234/1240" or "1240", which then is the thread.
bool takeIds(std::string_view word, PerfScriptHead &head)
{
    const std::size_t slash = word.find('/');
    head.process = slash == std::string_view::npos ? std::nullopt : wholeNumber(word.substr(0, slash));
    head.threadId = wholeNumber(word.substr(slash == std::string_view::npos ? 0 : slash + 1));
    return head.threadId && head.process.has_value() == (slash != std::string_view::npos);
}

/// "[002]"
bool takeCpu(std::string_view word, PerfScriptHead &head)
{
    if (word.size() < 3 || !word.starts_with('[') || !word.ends_with(']'))
        return false;
    head.cpu = wholeNumber(word.substr(1, word.size() - 2));
    return head.cpu.has_value();
}

/// "403.629040:", with six or nine digits behind the point
bool takeTime(std::string_view word, PerfScriptHead &head)
{
    const std::size_t point = word.find('.');
    if (point == std::string_view::npos || !word.ends_with(':'))
        return false;
    const std::string_view digits = word.substr(point + 1, word.size() - point - 2);
    const auto seconds = wholeNumber(word.substr(0, point));
    auto fraction = wholeNumber(digits);
    if (!seconds || !fraction || digits.size() > 9 || *fraction < 0 || *seconds < 0 ||
        *seconds > 9'000'000'000)
        return false;
    for (std::size_t digit = digits.size(); digit < 9; ++digit)
        *fraction *= 10;
    head.timeNs = *seconds * 1'000'000'000 + *fraction;
    return true;
}

/// "cycles:u:" ends in a colon; "sched:sched_switch:" does, too.
bool takeEvent(std::string_view word, PerfScriptHead &head)
{
    if (word.size() < 2 || !word.ends_with(':'))
        return false;
    head.event = word.substr(0, word.size() - 1);
    return true;
}

/// What stands behind the ids. @return false if it is something else
bool takeFields(std::string_view text, PerfScriptHead &head)
{
    std::string_view rest = text;
    std::string_view word = takeWord(rest);
    const auto next = [&] {
        text = rest;
        word = takeWord(rest);
    };
    if (takeCpu(word, head))
        next();
    if (!word.empty() && !head.timeNs && word.size() == 5 &&
        word.find_first_not_of(".dnNhHsSpPbB0123456789") == std::string_view::npos)
        next(); // the flags of a tracepoint: "d.h1."
    const bool hasTime = takeTime(word, head);
    if (hasTime)
        next();
    if (const auto period = wholeNumber(word); period && trimmed(rest).find(':') != std::string_view::npos) {
        head.period = period;
        next();
    }
    const bool hasEvent = takeEvent(word, head);
    if (hasEvent)
        text = rest;
    head.rest = trimmed(text);
    return hasTime || hasEvent || head.rest.empty();
}

} // namespace

/// The comm may have blanks and digits in it, so the first word that is followed by what should follow the
/// ids is taken for them.
std::optional<PerfScriptHead> parsePerfScriptHead(std::string_view line)
{
    line = trimmed(line);
    std::string_view rest = line;
    takeWord(rest);
    while (!trimmed(rest).empty()) {
        PerfScriptHead head;
        const std::string_view before = rest;
        const std::string_view word = takeWord(rest);
        if (!takeIds(word, head) || !takeFields(rest, head))
            continue;
        head.thread = trimmed(line.substr(0, static_cast<std::size_t>(before.data() - line.data())));
        return head;
    }
    return std::nullopt;
}

std::optional<PerfScriptFrame> parsePerfScriptFrame(std::string_view line)
{
    PerfScriptFrame frame;
    line = trimmed(line);
    const std::size_t blank = std::min(line.find_first_of(kBlanks), line.size());
    const auto parsed = std::from_chars(line.data(), line.data() + blank, frame.address, 16);
    frame.hasAddress = parsed.ec == std::errc() && parsed.ptr == line.data() + blank;
    if (frame.hasAddress)
        line = trimmed(line.substr(blank));
    const std::size_t open = line.rfind(" (");
    if (line.ends_with(')') && (open != std::string_view::npos || line.starts_with('('))) {
        const std::size_t begin = open == std::string_view::npos ? 1 : open + 2;
        frame.binary = line.substr(begin, line.size() - begin - 1);
        line = open == std::string_view::npos ? std::string_view() : trimmed(line.substr(0, open));
    } else if (!frame.hasAddress) {
        return std::nullopt;
    }
    frame.isInlined = frame.binary == "inlined";
    if (frame.binary == "[unknown]" || frame.isInlined)
        frame.binary = {};
    if (const std::size_t offset = line.rfind("+0x"); offset != std::string_view::npos && offset > 0)
        line = line.substr(0, offset);
    if (line != "[unknown]")
        frame.function = line;
    return frame;
}

std::optional<PerfScriptPlace> parsePerfScriptPlace(std::string_view line)
{
    line = trimmed(line);
    const std::size_t colon = line.rfind(':');
    if (colon == std::string_view::npos || colon == 0)
        return std::nullopt;
    const auto number = wholeNumber(line.substr(colon + 1));
    if (!number || line.find_first_of(kBlanks) != std::string_view::npos)
        return std::nullopt;
    return PerfScriptPlace{line.substr(0, colon), *number};
}

} // namespace hearth
