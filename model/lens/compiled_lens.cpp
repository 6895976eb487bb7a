#include "model/lens/compiled_lens.h"

#include <algorithm>
#include <string>
#include <utility>

namespace hearth {

namespace {

std::string_view keyOf(FrameTermKind kind)
{
    switch (kind) {
    case FrameTermKind::Hide:
        return "hide";
    case FrameTermKind::Show:
        return "show";
    case FrameTermKind::From:
        return "from";
    case FrameTermKind::To:
        return "to";
    case FrameTermKind::Once:
        return "once";
    case FrameTermKind::Collapse:
        return "collapse";
    case FrameTermKind::Pivot:
        return "pivot";
    }
    return {};
}

std::string_view keyOf(const PathTerm &term)
{
    switch (term.kind) {
    case PathTermKind::Literal:
    case PathTermKind::Regex:
        return "regex";
    case PathTermKind::Focus:
        return term.isNegated ? "ignore" : "focus";
    case PathTermKind::Library:
        return "lib";
    case PathTermKind::File:
        return "file";
    case PathTermKind::FrameKind:
        return "type";
    case PathTermKind::Self:
        return "self";
    }
    return {};
}

Result<Matcher> matcherOf(const PathTerm &term)
{
    if (term.kind == PathTermKind::Literal)
        return Matcher::literal(term.text);
    if (term.kind == PathTermKind::FrameKind)
        return Matcher::word(term.text);
    return Matcher::regex(term.text);
}

Result<CompiledLens::SpanCondition> conditionOf(const SpanTerm &term)
{
    Result<Matcher> matcher = term.kind == SpanTermKind::Matches ? Matcher::regex(term.text) : Matcher();
    if (!matcher)
        return tl::unexpected(matcher.error());
    return CompiledLens::SpanCondition{term.kind,
                                       term.text,
                                       std::move(*matcher),
                                       SpanPrefix(term.kind == SpanTermKind::Id ? term.text : std::string()),
                                       term.ns,
                                       term.isNegated};
}

tl::unexpected<Error> inTerm(std::string_view key, const Error &error)
{
    return failure(std::string(key) + ": " + error.message);
}

std::uint8_t digitValue(char digit)
{
    if (digit >= '0' && digit <= '9')
        return static_cast<std::uint8_t>(digit - '0');
    return static_cast<std::uint8_t>((digit >= 'a' ? digit - 'a' : digit - 'A') + 10);
}

} // namespace

template <std::size_t Bytes>
IdPrefix<Bytes>::IdPrefix(std::string_view hexDigits)
{
    for (std::size_t i = 0; i < std::min(hexDigits.size(), 2 * Bytes); ++i) {
        const std::uint32_t shift = i % 2 == 0 ? 4 : 0;
        m_bits[i / 2] = static_cast<std::uint8_t>(m_bits[i / 2] | (digitValue(hexDigits[i]) << shift));
        m_mask[i / 2] = static_cast<std::uint8_t>(m_mask[i / 2] | (0xfU << shift));
    }
}

template <std::size_t Bytes>
bool IdPrefix<Bytes>::matches(const std::array<std::uint8_t, Bytes> &id) const
{
    bool isId = false;
    for (std::size_t i = 0; i < Bytes; ++i) {
        isId |= id[i] != 0;
        if ((id[i] & m_mask[i]) != m_bits[i])
            return false;
    }
    return isId;
}

template class IdPrefix<16>;
template class IdPrefix<8>;

Result<CompiledLens> compile(const Lens &lens)
{
    CompiledLens compiled;
    for (const PathTerm &term : lens.paths) {
        Result<Matcher> matcher = matcherOf(term);
        if (!matcher)
            return inTerm(keyOf(term), matcher.error());
        compiled.paths.push_back({term.kind, std::move(*matcher), term.isNegated});
    }
    for (const FrameTerm &term : lens.frames) {
        Result<Matcher> matcher = Matcher::regex(term.text);
        if (!matcher)
            return inTerm(keyOf(term.kind), matcher.error());
        compiled.frames.push_back({term.kind, std::move(*matcher)});
    }
    for (const TagTerm &term : lens.tags) {
        Result<TagFilter> filter = TagFilter::parse(term.text);
        if (!filter)
            return inTerm(term.isNegated ? "tagignore" : "tagfocus", filter.error());
        compiled.tags.push_back({std::move(*filter), term.isNegated});
    }
    for (const auto &[terms, filters] : {std::pair(&lens.attributes, &compiled.attributes),
                                         std::pair(&lens.spanAttributes, &compiled.spanAttributes)})
        for (const AttributeTerm &term : *terms) {
            Result<AttributeFilter> filter = AttributeFilter::compile(term);
            if (!filter)
                return inTerm("@" + term.key, filter.error());
            filters->push_back(std::move(*filter));
        }
    if (!lens.trace.empty())
        compiled.trace = TracePrefix(lens.trace);
    for (const SpanTerm &term : lens.spans) {
        Result<CompiledLens::SpanCondition> condition = conditionOf(term);
        if (!condition)
            return inTerm("span", condition.error());
        compiled.spans.push_back(std::move(*condition));
    }
    compiled.noChildren = lens.noChildren;
    compiled.estimatesLinks = lens.estimatesLinks;
    return compiled;
}

std::vector<std::uint8_t> matchContexts(const CompiledLens &lens, const Snapshot &snapshot,
                                        std::size_t contextBegin)
{
    const std::size_t begin = std::min(contextBegin, snapshot.contexts.size());
    std::vector<std::uint8_t> matched(snapshot.contexts.size() - begin, 1);
    for (const CompiledLens::Tag &tag : lens.tags) {
        const std::vector<std::uint8_t> found = matchContexts(tag.filter, snapshot, begin);
        for (std::size_t i = 0; i < matched.size(); ++i)
            matched[i] &= static_cast<std::uint8_t>((found[i] != 0) != tag.isNegated);
    }
    for (const AttributeFilter &filter : lens.attributes) {
        const std::vector<std::uint8_t> found = matchContexts(filter, snapshot, begin);
        for (std::size_t i = 0; i < matched.size(); ++i)
            matched[i] &= found[i];
    }
    return matched;
}

} // namespace hearth
