#include "model/lens/tag_filter.h"

#include "model/lens/attribute_keys.h"
#include "model/lens/attribute_scan.h"
#include "model/lens/units.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace hearth {

namespace {

/// A number as it may stand in a range, with the letters behind it.
struct NumberText {
    std::string_view whole;
    std::string_view digits; ///< with the sign
    std::string_view unit;
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isSign(char c)
{
    return c == '+' || c == '-';
}
bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The first number in `text`, wherever it is.
std::optional<NumberText> findNumber(std::string_view text)
{
    std::size_t begin = 0;
    while (begin < text.size() && !isDigit(text[begin]))
        ++begin;
    if (begin == text.size())
        return std::nullopt;
    std::size_t digitsEnd = begin;
    while (digitsEnd < text.size() && isDigit(text[digitsEnd]))
        ++digitsEnd;
    std::size_t end = digitsEnd;
    while (end < text.size() && isLetter(text[end]))
        ++end;
    if (begin > 0 && isSign(text[begin - 1]))
        --begin;
    return NumberText{.whole = text.substr(begin, end - begin),
                      .digits = text.substr(begin, digitsEnd - begin),
                      .unit = text.substr(digitsEnd, end - digitsEnd)};
}

Result<std::int64_t> toInteger(std::string_view digits)
{
    if (digits.starts_with('+'))
        digits.remove_prefix(1);
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc())
        return failure("'" + std::string(digits) + "' is too large a number for a range");
    return value;
}

double numberOf(const Attribute &attribute)
{
    return attribute.type == AttributeType::Double ? std::bit_cast<double>(attribute.bits)
                                                   : static_cast<double>(attribute.integer());
}

bool isNumeric(const Attribute &attribute)
{
    return attribute.type == AttributeType::Int || attribute.type == AttributeType::Double;
}

bool matchesLabel(const Matcher &expression, const Snapshot &snapshot, const Attribute &attribute)
{
    if (isNumeric(attribute))
        return false;
    return expression.matches(std::string(snapshot.text(attribute.key)) + ':' +
                              printAttribute(snapshot, attribute));
}

} // namespace

NumericUnits::NumericUnits(const Snapshot &snapshot)
{
    // Attributes are numbered in the order in which samples first had them.
    for (const Attribute &attribute : snapshot.attributes) {
        if (!isNumeric(attribute))
            continue;
        std::string_view &unit = m_units[attribute.key];
        if (unit.empty())
            unit = snapshot.text(attribute.unit);
    }
    for (auto &[keyId, unit] : m_units) {
        const std::string_view key = snapshot.text(keyId);
        if (unit.empty())
            unit = key == "alignment" || key == "request" ? std::string_view("bytes") : key;
    }
}

std::string_view NumericUnits::of(StringId key) const
{
    const auto found = m_units.find(key);
    return found == m_units.end() ? std::string_view() : found->second;
}

Result<std::optional<TagFilter::Range>> TagFilter::parseRange(std::string_view text)
{
    const std::optional<NumberText> first = findNumber(text);
    if (!first)
        return std::nullopt;
    const auto behind = static_cast<std::size_t>(first->whole.data() - text.data()) + first->whole.size();
    const std::optional<NumberText> second = findNumber(text.substr(behind));
    const std::string whole(first->whole);
    const bool isExact = text == whole;
    const bool isFrom = text == whole + ':';
    const bool isTo = text == ':' + whole;
    const bool isBoth = second && text == whole + ':' + std::string(second->whole);
    if (!isExact && !isFrom && !isTo && !isBoth)
        return std::nullopt;

    const Result<std::int64_t> number = toInteger(first->digits);
    if (!number)
        return tl::unexpected(number.error());
    const Scaled bound = scale(*number, first->unit, first->unit);
    Range range;
    range.unit = bound.unit;
    if (!isTo)
        range.from = bound.value;
    if (isExact || isTo)
        range.to = bound.value;
    if (isBoth) {
        const Result<std::int64_t> last = toInteger(second->digits);
        if (!last)
            return tl::unexpected(last.error());
        const Scaled end = scale(*last, second->unit, range.unit);
        if (end.unit != range.unit)
            return std::nullopt; // kilobytes to seconds: an expression after all, says pprof
        range.to = end.value;
    }
    return range;
}

Result<TagFilter> TagFilter::parse(std::string_view option)
{
    TagFilter filter;
    const std::size_t equals = option.find('=');
    if (equals != std::string_view::npos) {
        filter.m_key = option.substr(0, equals);
        option.remove_prefix(equals + 1);
    }
    Result<std::optional<Range>> range = parseRange(option);
    if (!range)
        return tl::unexpected(range.error());
    filter.m_range = std::move(*range);
    if (filter.m_range)
        return filter;
    for (std::size_t begin = 0; begin <= option.size();) {
        const std::size_t end = std::min(option.find(',', begin), option.size());
        Result<Matcher> expression = Matcher::regex(option.substr(begin, end - begin));
        if (!expression)
            return tl::unexpected(expression.error());
        filter.m_expressions.push_back(std::move(*expression));
        begin = end + 1;
    }
    return filter;
}

bool TagFilter::isInRange(const Range &range, const Snapshot &snapshot, const NumericUnits &units,
                          const Attribute &attribute) const
{
    if (!isNumeric(attribute) || !(m_key.empty() || snapshot.text(attribute.key) == m_key))
        return false;
    const Scaled scaled = scaleReal(numberOf(attribute), units.of(attribute.key), range.unit);
    return scaled.unit == range.unit && scaled.value >= range.from && scaled.value <= range.to;
}

bool TagFilter::matchesValue(const Snapshot &snapshot, const Attribute &attribute) const
{
    if (isNumeric(attribute) || snapshot.text(attribute.key) != m_key)
        return false;
    const std::string value = printAttribute(snapshot, attribute);
    return std::ranges::any_of(m_expressions,
                               [&](const Matcher &expression) { return expression.matches(value); });
}

std::vector<std::uint8_t> matchContexts(const TagFilter &filter, const Snapshot &snapshot,
                                        std::size_t contextBegin)
{
    const std::size_t begin = std::min(contextBegin, snapshot.contexts.size());
    std::vector<std::uint8_t> matched(snapshot.contexts.size() - begin, 1);
    const auto narrow = [&](auto fulfils) {
        AttributeScan scan(snapshot, [&](const Attribute &attribute) {
            return fulfils(attribute) ? Presence::Fulfilled : Presence::Absent;
        });
        for (std::size_t i = 0; i < matched.size(); ++i)
            if (matched[i] != 0)
                matched[i] = scan.of(ContextId(begin + i)) == Presence::Fulfilled ? 1 : 0;
    };
    if (filter.m_range) {
        const NumericUnits units(snapshot);
        narrow([&, &range = *filter.m_range](const Attribute &attribute) {
            return filter.isInRange(range, snapshot, units, attribute);
        });
    } else if (!filter.m_key.empty()) {
        narrow([&](const Attribute &attribute) { return filter.matchesValue(snapshot, attribute); });
    } else {
        for (const Matcher &expression : filter.m_expressions)
            narrow([&](const Attribute &attribute) { return matchesLabel(expression, snapshot, attribute); });
    }
    return matched;
}

} // namespace hearth
