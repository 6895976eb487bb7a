#include "model/lens/time_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

namespace hearth {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kDaySeconds = 86400;
constexpr std::int64_t kDayNs = kDaySeconds * kSecond;

struct TimeUnit {
    std::string_view name;
    std::int64_t ns;
};
constexpr TimeUnit kUnits[] = {
    {"", kSecond},         {"s", kSecond},        {"ms", 1'000'000}, {"us", 1000},      {"ns", 1},
    {"min", 60 * kSecond}, {"h", 3600 * kSecond}, {"\u00b5s", 1000}, {"\u03bcs", 1000},
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Reads a text from left to right; once something does not fit, nothing does.
class Reader {
public:
    explicit Reader(std::string_view text) : m_rest(text) {}

    bool isOk() const { return m_isOk; }
    bool isAtEnd() const { return m_rest.empty(); }
    std::string_view rest() const { return m_rest; }

    bool take(char c)
    {
        if (!m_rest.starts_with(c))
            return false;
        m_rest.remove_prefix(1);
        return true;
    }
    void expect(char c) { m_isOk = take(c) && m_isOk; }

    /// A number of exactly so many digits that is less than `limit`.
    std::int64_t number(std::size_t digits, std::int64_t limit)
    {
        std::int64_t value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            if (m_rest.empty() || !isDigit(m_rest.front())) {
                m_isOk = false;
                return 0;
            }
            value = value * 10 + (m_rest.front() - '0');
            m_rest.remove_prefix(1);
        }
        m_isOk = m_isOk && value < limit;
        return value;
    }

    /// `.25`, or nothing, in nanoseconds.
    std::int64_t fraction()
    {
        if (!take('.'))
            return 0;
        std::int64_t ns = 0;
        std::int64_t place = kSecond / 10;
        if (m_rest.empty() || !isDigit(m_rest.front()))
            m_isOk = false;
        for (; !m_rest.empty() && isDigit(m_rest.front()); m_rest.remove_prefix(1)) {
            if (place == 0 && m_rest.front() != '0')
                m_isOk = false;
            ns += place * (m_rest.front() - '0');
            place /= 10;
        }
        return ns;
    }

private:
    std::string_view m_rest;
    bool m_isOk = true;
};

/// `14:05` or `14:05:30.25`, since midnight.
std::int64_t readTimeOfDay(Reader &reader, bool needsSeconds)
{
    std::int64_t seconds = reader.number(2, 24) * 3600;
    reader.expect(':');
    seconds += reader.number(2, 60) * 60;
    if (!reader.take(':')) {
        if (needsSeconds)
            reader.expect(':');
        return seconds * kSecond;
    }
    seconds += reader.number(2, 60);
    return seconds * kSecond + reader.fraction();
}

/// `Z` or `+01:00`, in seconds east of Greenwich.
std::int64_t readOffset(Reader &reader)
{
    if (reader.take('Z') || reader.take('z'))
        return 0;
    const bool isWest = reader.take('-');
    if (!isWest)
        reader.expect('+');
    const std::int64_t hours = reader.number(2, 24);
    reader.expect(':');
    const std::int64_t seconds = hours * 3600 + reader.number(2, 60) * 60;
    return isWest ? -seconds : seconds;
}

std::optional<TimePoint> parseDateTime(std::string_view text)
{
    Reader reader(text);
    const auto year = static_cast<int>(reader.number(4, 10000));
    reader.expect('-');
    const auto month = static_cast<unsigned>(reader.number(2, 13));
    reader.expect('-');
    const auto day = static_cast<unsigned>(reader.number(2, 32));
    if (!reader.take('T') && !reader.take('t'))
        reader.expect('T');
    const std::int64_t timeOfDay = readTimeOfDay(reader, true);
    const std::int64_t offset = readOffset(reader);
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                           std::chrono::day(day)};
    if (!reader.isOk() || !reader.isAtEnd() || !date.ok())
        return std::nullopt;
    const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
    std::int64_t ns = 0;
    // Seconds and nanoseconds get the same sign before they meet, or the first second that fits would
    // overflow.
    std::int64_t seconds = days * kDaySeconds + timeOfDay / kSecond - offset;
    std::int64_t fraction = timeOfDay % kSecond;
    if (seconds < 0 && fraction > 0) {
        ++seconds;
        fraction -= kSecond;
    }
    if (__builtin_mul_overflow(seconds, kSecond, &ns) || __builtin_add_overflow(ns, fraction, &ns))
        return std::nullopt;
    return TimePoint{.base = TimeBase::Epoch, .ns = ns};
}

std::optional<TimePoint> parseTimeOfDay(std::string_view text)
{
    Reader reader(text);
    const std::int64_t ns = readTimeOfDay(reader, false);
    if (!reader.isOk() || !reader.isAtEnd())
        return std::nullopt;
    return TimePoint{.base = TimeBase::Clock, .ns = ns};
}

std::optional<TimePoint> parseOffset(std::string_view text)
{
    const auto isNumber = [](char c) { return isDigit(c) || c == '.'; };
    const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text, isNumber) - text.begin());
    const auto *const unit = std::ranges::find(kUnits, text.substr(end), &TimeUnit::name);
    const std::size_t point = std::min(text.find('.'), end);
    if (unit == std::end(kUnits) || point == 0 || point + 1 == end)
        return std::nullopt;
    std::int64_t ns = 0;
    for (const char digit : text.substr(0, point))
        if (__builtin_mul_overflow(ns, 10, &ns) || __builtin_add_overflow(ns, (digit - '0') * unit->ns, &ns))
            return std::nullopt;
    std::int64_t place = unit->ns;
    for (const char digit : text.substr(std::min(point + 1, end), end - std::min(point + 1, end))) {
        // Every unit is 10^n ns, or a multiple of a second: a place that is none ends the decimals there are.
        if (digit == '.' || (place % 10 != 0 && digit != '0'))
            return std::nullopt;
        place = place % 10 == 0 ? place / 10 : 0;
        if (__builtin_add_overflow(ns, (digit - '0') * place, &ns))
            return std::nullopt;
    }
    return TimePoint{.base = TimeBase::Start, .ns = ns};
}

std::optional<TimePoint> parseBeforeEnd(std::string_view text)
{
    std::optional<TimePoint> point;
    if (text.starts_with('-'))
        point = parseOffset(text.substr(1));
    if (point)
        point->base = TimeBase::End;
    return point;
}

Result<std::optional<TimePoint>> parseEnd(std::string_view text)
{
    if (text.empty())
        return std::nullopt;
    for (const auto parse : {parseOffset, parseBeforeEnd, parseTimeOfDay, parseDateTime})
        if (const std::optional<TimePoint> point = parse(text))
            return point;
    return failure("'" + std::string(text) +
                   "' is no time; write 1.5s, -30s, 14:05:30 or 2026-11-20T14:05:30Z");
}

std::string padded(std::int64_t value, std::size_t digits)
{
    const std::string text = std::to_string(value);
    return std::string(digits - std::min(digits, text.size()), '0') + text;
}

/// @param places how many digits there are behind the point
std::string printFraction(std::int64_t ns, std::size_t places = 9)
{
    if (ns == 0)
        return {};
    std::string digits = padded(ns, places);
    digits.resize(digits.find_last_not_of('0') + 1);
    return '.' + digits;
}

std::string printTimeOfDay(std::int64_t ns)
{
    const std::int64_t seconds = ns / kSecond;
    return padded(seconds / 3600, 2) + ':' + padded(seconds / 60 % 60, 2) + ':' + padded(seconds % 60, 2) +
           printFraction(ns % kSecond);
}

std::string printDateTime(std::int64_t ns)
{
    std::int64_t day = ns / kDayNs;
    std::int64_t timeOfDay = ns % kDayNs;
    if (timeOfDay < 0) {
        --day;
        timeOfDay += kDayNs;
    }
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
    return padded(static_cast<int>(date.year()), 4) + '-' + padded(static_cast<unsigned>(date.month()), 2) +
           '-' + padded(static_cast<unsigned>(date.day()), 2) + 'T' + printTimeOfDay(timeOfDay) + 'Z';
}

std::string printPoint(const std::optional<TimePoint> &point)
{
    if (!point)
        return {};
    switch (point->base) {
    case TimeBase::Start:
    case TimeBase::End:
        return (point->base == TimeBase::End ? "-" : "") + std::to_string(point->ns / kSecond) +
               printFraction(point->ns % kSecond) + 's';
    case TimeBase::Clock:
        return printTimeOfDay(point->ns);
    case TimeBase::Epoch:
        return printDateTime(point->ns);
    }
    return {};
}

} // namespace

Result<TimeTerm> parseTimeTerm(std::string_view text)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos)
        return failure("a time is a range; write A..B, A.. or ..B");
    const auto from = parseEnd(text.substr(0, dots));
    if (!from)
        return tl::unexpected(from.error());
    const auto to = parseEnd(text.substr(dots + 2));
    if (!to)
        return tl::unexpected(to.error());
    const TimeTerm term{.from = *from, .to = *to};
    const bool isComparable =
        term.from && term.to && term.from->base == term.to->base && term.from->base != TimeBase::Clock;
    const auto [earlier, later] = isComparable && term.from->base == TimeBase::End
                                      ? std::pair(term.to, term.from)
                                      : std::pair(term.from, term.to);
    if (isComparable && earlier->ns > later->ns)
        return failure("the range ends before it begins");
    return term;
}

Result<std::int64_t> parseDuration(std::string_view text)
{
    const std::optional<TimePoint> point = parseOffset(text);
    if (!point)
        return failure("'" + std::string(text) + "' is no duration; write 1.5s, 100ms or 20us");
    return point->ns;
}

std::string printDuration(std::int64_t ns)
{
    if (ns >= kSecond)
        return std::to_string(ns / kSecond) + printFraction(ns % kSecond) + 's';
    if (ns >= 1'000'000)
        return std::to_string(ns / 1'000'000) + printFraction(ns % 1'000'000, 6) + "ms";
    if (ns >= 1000)
        return std::to_string(ns / 1000) + printFraction(ns % 1000, 3) + "us";
    return std::to_string(ns) + "ns";
}

std::string printTimeTerm(const TimeTerm &term)
{
    return term.isEverything() ? std::string() : printPoint(term.from) + ".." + printPoint(term.to);
}

} // namespace hearth
