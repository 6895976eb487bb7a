#include "model/lens/span_steps.h"

#include "model/lens/lens_quoting.h"
#include "model/lens/lens_text.h"
#include "model/lens/lens_words.h"
#include "model/lens/matcher.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hearth {

namespace {

constexpr std::string_view kService = "service";

bool isChoice(const SpanTerm &term)
{
    switch (term.kind) {
    case SpanTermKind::Name:
    case SpanTermKind::Id:
    case SpanTermKind::AtLeast:
    case SpanTermKind::Shorter:
        return !term.isNegated;
    default:
        return false;
    }
}

bool isServiceChoice(const AttributeTerm &term)
{
    return term.kind == AttributeTermKind::Equals && term.key == kService && !term.isNegated;
}

/// Does a term of a search stand for an attribute: KEY=VALUE where no term has such a key?
bool isBareAttribute(std::string_view word)
{
    const std::size_t separator = word.find('=');
    if (separator == 0 || separator == std::string_view::npos)
        return false;
    const std::string_view key = word.substr(0, separator);
    const bool isKey = std::ranges::all_of(key, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
               c == '_' || c == '-';
    });
    return isKey && !lensKeyNamed(key) && !isSpanTerm(word);
}

/// Terms as a lens has them: KEY=VALUE as span@KEY=VALUE.
std::string asLensText(std::string_view search)
{
    std::string text;
    for (std::size_t at = 0; at < search.size();) {
        if (isBlank(search[at])) {
            text += search[at++];
            continue;
        }
        if (search[at] == '-')
            text += search[at++];
        const std::optional<LensToken> word = readToken(search, at);
        if (!word || word->end <= at)
            return text.append(search.substr(at)); // the parser of lenses says what is wrong with it
        if (!word->isQuoted && isBareAttribute(word->text))
            text += "span@";
        text += search.substr(at, word->end - at);
        at = word->end;
    }
    return text;
}

} // namespace

SpanChoice spanChoiceOf(const Lens &lens)
{
    SpanChoice choice;
    choice.trace = lens.trace;
    for (const SpanTerm &term : lens.spans) {
        if (!isChoice(term))
            continue;
        if (term.kind == SpanTermKind::Name)
            choice.name = term.text;
        else if (term.kind == SpanTermKind::Id)
            choice.span = term.text;
        else
            (term.kind == SpanTermKind::AtLeast ? choice.fromNs : choice.toNs) = term.ns;
    }
    for (const AttributeTerm &term : lens.spanAttributes)
        if (choice.name && isServiceChoice(term))
            choice.service = term.text;
    return choice;
}

SpanChoice effective(const SpanChoice &choice)
{
    if (choice.trace.empty())
        return choice;
    SpanChoice only;
    only.trace = choice.trace;
    only.span = choice.span;
    return only;
}

SpanChoice withoutTrace(SpanChoice choice)
{
    choice.trace.clear();
    choice.span.clear();
    return choice;
}

SpanChoice outsideBand(SpanChoice choice)
{
    const auto from = std::exchange(choice.fromNs, std::nullopt);
    const auto to = std::exchange(choice.toNs, std::nullopt);
    if (from.value_or(0) > 0)
        choice.toNs = from;
    else
        choice.fromNs = to;
    return choice;
}

Lens withoutSpanChoice(Lens lens)
{
    const bool hasName = spanChoiceOf(lens).name.has_value();
    lens.trace.clear();
    std::erase_if(lens.spans, isChoice);
    if (hasName)
        std::erase_if(lens.spanAttributes, isServiceChoice);
    return lens;
}

Lens withSpanChoice(Lens lens, const SpanChoice &choice)
{
    lens = withoutSpanChoice(std::move(lens));
    lens.trace = choice.trace;
    if (choice.name) {
        lens.spans.push_back({SpanTermKind::Name, *choice.name, 0, false});
        if (!choice.service.empty())
            lens.spanAttributes.push_back(
                {AttributeTermKind::Equals, std::string(kService), choice.service, false});
    }
    if (choice.fromNs)
        lens.spans.push_back({SpanTermKind::AtLeast, {}, *choice.fromNs, false});
    if (choice.toNs)
        lens.spans.push_back({SpanTermKind::Shorter, {}, *choice.toNs, false});
    if (!choice.span.empty())
        lens.spans.push_back({SpanTermKind::Id, choice.span, 0, false});
    return lens;
}

Result<Lens> parseSpanSearch(std::string_view text)
{
    auto parsed = parseLens(asLensText(text));
    if (!parsed)
        return failure(parsed.error().message);
    Lens search;
    search.trace = std::exchange(parsed->trace, {});
    search.spans = std::exchange(parsed->spans, {});
    search.spanAttributes = std::exchange(parsed->spanAttributes, {});
    std::ranges::move(std::exchange(parsed->attributes, {}), std::back_inserter(search.spanAttributes));
    for (const PathTerm &term : parsed->paths) {
        if (term.kind == PathTermKind::Literal)
            search.spans.push_back(
                {SpanTermKind::Matches, "(?i)" + escapeRegex(term.text), 0, term.isNegated});
        else if (term.kind == PathTermKind::Regex)
            search.spans.push_back({SpanTermKind::Matches, term.text, 0, term.isNegated});
    }
    std::erase_if(parsed->paths, [](const PathTerm &term) {
        return term.kind == PathTermKind::Literal || term.kind == PathTermKind::Regex;
    });
    if (*parsed != Lens())
        return failure("spans are found by name, id, attributes, duration and error");
    return search;
}

Lens withSpanTerms(Lens lens, const Lens &more)
{
    if (lens.trace.empty())
        lens.trace = more.trace;
    lens.spans.insert(lens.spans.end(), more.spans.begin(), more.spans.end());
    lens.spanAttributes.insert(lens.spanAttributes.end(), more.spanAttributes.begin(),
                               more.spanAttributes.end());
    return lens;
}

} // namespace hearth
