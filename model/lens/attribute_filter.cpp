#include "model/lens/attribute_filter.h"

#include "model/lens/attribute_keys.h"
#include "model/lens/attribute_scan.h"
#include "model/lens/units.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace hearth {

namespace {

/// Reads a decimal number at the beginning of `text` and removes it.
std::optional<double> takeNumber(std::string_view &text)
{
    std::string_view digits = text;
    if (digits.starts_with('+'))
        digits.remove_prefix(1);
    const std::size_t sign = digits.starts_with('-') ? 1 : 0;
    const auto digitsFrom = [&](std::size_t at) {
        while (at < digits.size() && digits[at] >= '0' && digits[at] <= '9')
            ++at;
        return at;
    };
    std::size_t end = digitsFrom(sign);
    if (end == sign || (sign == 1 && digits.size() < text.size()))
        return std::nullopt;
    const bool hasDecimals = end < digits.size() && digits[end] == '.' && digitsFrom(end + 1) > end + 1;
    if (hasDecimals)
        end = digitsFrom(end + 1);
    const std::string_view number = digits.substr(0, end);
    double value = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), value, std::chars_format::fixed).ec !=
        std::errc())
        return std::nullopt;
    text = digits.substr(end);
    return value;
}

std::optional<Quantity> parseQuantity(std::string_view text)
{
    const std::optional<double> value = takeNumber(text);
    const bool isUnit = std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
    });
    if (!value || !isUnit)
        return std::nullopt;
    return Quantity{.value = *value, .unit = std::string(text)};
}

/// `value` counted in the unit of a bound, where the two have anything to do with each other.
double inUnitOf(const Quantity &bound, double value, std::string_view unit)
{
    const bool isSameFamily =
        (isTimeUnit(bound.unit) && isTimeUnit(unit)) || (isByteUnit(bound.unit) && isByteUnit(unit));
    return isSameFamily ? scaleReal(value, unit, bound.unit).value : value;
}

/// Text that is a number as a whole; some senders write all labels as text.
std::optional<double> numberOf(const Snapshot &snapshot, const Attribute &attribute)
{
    switch (attribute.type) {
    case AttributeType::Int:
        return static_cast<double>(attribute.integer());
    case AttributeType::Double:
        return std::bit_cast<double>(attribute.bits);
    case AttributeType::String: {
        std::string_view text = snapshot.text(attribute.text());
        const std::optional<double> number = takeNumber(text);
        return text.empty() ? number : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<QuantityRange> QuantityRange::parse(std::string_view text)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos || text.size() == 2)
        return std::nullopt;
    const auto parseEnd = [](std::string_view end, std::optional<Quantity> &quantity) {
        if (end.empty())
            return true;
        quantity = parseQuantity(end);
        return quantity.has_value();
    };
    QuantityRange range;
    if (!parseEnd(text.substr(0, dots), range.from) || !parseEnd(text.substr(dots + 2), range.to))
        return std::nullopt;
    return range;
}

bool QuantityRange::contains(double value, std::string_view unit) const
{
    return (!from || inUnitOf(*from, value, unit) >= from->value) &&
           (!to || inUnitOf(*to, value, unit) <= to->value);
}

Result<AttributeFilter> AttributeFilter::compile(const AttributeTerm &term)
{
    AttributeFilter filter;
    filter.m_term = term;
    if (term.kind == AttributeTermKind::Matches) {
        Result<Matcher> matcher = Matcher::regex(term.text);
        if (!matcher)
            return tl::unexpected(matcher.error());
        filter.m_matcher = std::move(*matcher);
    }
    if (term.kind == AttributeTermKind::Range) {
        const std::optional<QuantityRange> range = QuantityRange::parse(term.text);
        if (!range)
            return failure("'" + term.text + "' is no range; write A..B, with or without units");
        filter.m_range = *range;
    }
    return filter;
}

bool AttributeFilter::fits(const Snapshot &snapshot, const Attribute &attribute) const
{
    switch (m_term.kind) {
    case AttributeTermKind::Equals:
        return printAttribute(snapshot, attribute) == m_term.text;
    case AttributeTermKind::Matches:
        return m_matcher.matches(printAttribute(snapshot, attribute));
    case AttributeTermKind::Range: {
        const std::optional<double> number = numberOf(snapshot, attribute);
        return number && m_range.contains(*number, snapshot.text(attribute.unit));
    }
    }
    return false;
}

std::vector<std::uint8_t> matchContexts(const AttributeFilter &filter, const Snapshot &snapshot,
                                        std::size_t contextBegin)
{
    std::vector<AttributeScan> scans; // one for each key that the term's may stand for
    for (const StringId key : resolveKey(snapshot, filter.m_term.key).keys)
        scans.emplace_back(snapshot, [&filter, &snapshot, key](const Attribute &attribute) {
            if (attribute.key != key)
                return Presence::Absent;
            return filter.fits(snapshot, attribute) ? Presence::Fulfilled : Presence::Present;
        });

    const std::size_t begin = std::min(contextBegin, snapshot.contexts.size());
    std::vector<std::uint8_t> matched(snapshot.contexts.size() - begin);
    for (std::size_t i = 0; i < matched.size(); ++i) {
        Presence presence = Presence::Absent;
        for (std::size_t key = 0; key < scans.size() && presence == Presence::Absent; ++key)
            presence = scans[key].of(ContextId(begin + i));
        matched[i] = (presence == Presence::Fulfilled) != filter.m_term.isNegated ? 1 : 0;
    }
    return matched;
}

} // namespace hearth
