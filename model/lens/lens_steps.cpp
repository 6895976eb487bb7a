#include "model/lens/lens_steps.h"

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

PathTerm termOf(const StepSubject &subject, bool isNegated)
{
    return {subject.isBinary() ? PathTermKind::Library : PathTermKind::Regex, expressionOf(subject),
            isNegated};
}

template <class Term>
void addOnce(std::vector<Term> &terms, Term term)
{
    if (std::ranges::find(terms, term) == terms.end())
        terms.push_back(std::move(term));
}

Lens withFrameTerm(Lens lens, FrameTermKind kind, std::string expression)
{
    if (!expression.empty())
        addOnce(lens.frames, FrameTerm{kind, std::move(expression)});
    return lens;
}

} // namespace

std::string binaryExpression(const StepSubject &subject)
{
    std::string_view name = subject.binary;
    if (name.empty() && subject.isBinary())
        name = subject.name.substr(1, subject.name.size() - 2);
    if (name.empty())
        return {};
    const std::string whole = exactly(name.substr(name.rfind('/') + 1));
    return "(^|/)" + whole.substr(1);
}

std::string expressionOf(const StepSubject &subject)
{
    return subject.isBinary() ? binaryExpression(subject) : exactly(subject.name);
}

std::string exactly(std::string_view text)
{
    static constexpr std::string_view kSpecial = R"(\.+*?()|[]{}^$)";
    std::string expression = "^";
    for (const char character : text) {
        if (kSpecial.find(character) != std::string_view::npos)
            expression += '\\';
        expression += character;
    }
    return expression + '$';
}

Lens keepStacksThrough(Lens lens, const StepSubject &subject)
{
    addOnce(lens.paths, termOf(subject, false));
    return lens;
}

Lens dropStacksThrough(Lens lens, const StepSubject &subject)
{
    addOnce(lens.paths, termOf(subject, true));
    return lens;
}

Lens keepStacksIn(Lens lens, std::string_view path)
{
    PathTerm term;
    term.kind = PathTermKind::Library;
    term.text = exactly(path);
    if (std::ranges::find(lens.paths, term) == lens.paths.end())
        lens.paths.push_back(std::move(term));
    return lens;
}

Lens beginAt(Lens lens, const StepSubject &subject)
{
    return withFrameTerm(std::move(lens), FrameTermKind::From, expressionOf(subject));
}

Lens keepSelf(Lens lens, const StepSubject &subject)
{
    addOnce(lens.paths, PathTerm{PathTermKind::Self, expressionOf(subject)});
    return lens;
}

Lens keepUnder(Lens lens, std::vector<std::string> names)
{
    lens.under = std::move(names);
    return lens;
}

Lens endAt(Lens lens, const StepSubject &subject)
{
    return withFrameTerm(std::move(lens), FrameTermKind::To, expressionOf(subject));
}

Lens collapseRecursion(Lens lens, const StepSubject &subject)
{
    return withFrameTerm(std::move(lens), FrameTermKind::Once, expressionOf(subject));
}

Lens collapseBinary(Lens lens, const StepSubject &subject)
{
    return withFrameTerm(std::move(lens), FrameTermKind::Collapse, binaryExpression(subject));
}

Lens mergeIntoCaller(Lens lens, const StepSubject &subject)
{
    return withFrameTerm(std::move(lens), FrameTermKind::Hide, expressionOf(subject));
}

Lens mergeBinaryIntoCallers(Lens lens, const StepSubject &subject)
{
    return withFrameTerm(std::move(lens), FrameTermKind::Hide, binaryExpression(subject));
}

Lens keepBinary(Lens lens, const StepSubject &subject)
{
    return withFrameTerm(std::move(lens), FrameTermKind::Show, binaryExpression(subject));
}

Lens pivotOn(Lens lens, const StepSubject &subject)
{
    const FrameTerm pivot{FrameTermKind::Pivot, expressionOf(subject)};
    const bool isThere = std::ranges::find(lens.frames, pivot) != lens.frames.end();
    lens = withoutPivot(std::move(lens));
    if (!isThere)
        lens.frames.push_back(pivot);
    return lens;
}

Lens withoutPivot(Lens lens)
{
    std::erase_if(lens.frames, [](const FrameTerm &term) { return term.kind == FrameTermKind::Pivot; });
    return lens;
}

Lens inverted(Lens lens)
{
    lens.isInverted = !lens.isInverted;
    return lens;
}

Lens withAttribute(Lens lens, std::string_view key, std::string_view value)
{
    const bool isThere = hasAttribute(lens, key, value, false);
    std::erase_if(lens.attributes, [key](const AttributeTerm &term) {
        return term.kind == AttributeTermKind::Equals && term.key == key;
    });
    if (!isThere)
        lens.attributes.push_back({AttributeTermKind::Equals, std::string(key), std::string(value), false});
    return lens;
}

Lens withoutAttribute(Lens lens, std::string_view key, std::string_view value)
{
    const bool isThere = hasAttribute(lens, key, value, true);
    std::erase_if(lens.attributes, [key, value](const AttributeTerm &term) {
        return term.kind == AttributeTermKind::Equals && term.key == key && term.text == value;
    });
    if (!isThere)
        lens.attributes.push_back({AttributeTermKind::Equals, std::string(key), std::string(value), true});
    return lens;
}

bool hasAttribute(const Lens &lens, std::string_view key, std::string_view value, bool isNegated)
{
    return std::ranges::any_of(lens.attributes, [&](const AttributeTerm &term) {
        return term.kind == AttributeTermKind::Equals && term.key == key && term.text == value &&
               term.isNegated == isNegated;
    });
}

Lens withoutTerms(Lens lens)
{
    Lens bare;
    bare.series = std::move(lens.series);
    bare.granularity = lens.granularity;
    return bare;
}

Lens withoutLastTerm(Lens lens)
{
    if (!lens.spanAttributes.empty())
        lens.spanAttributes.pop_back();
    else if (!lens.spans.empty())
        lens.spans.pop_back();
    else if (!lens.trace.empty())
        lens.trace.clear();
    else if (!lens.attributes.empty())
        lens.attributes.pop_back();
    else if (!lens.tags.empty())
        lens.tags.pop_back();
    else if (!lens.under.empty())
        lens.under.clear();
    else if (!lens.frames.empty())
        lens.frames.pop_back();
    else if (!lens.paths.empty())
        lens.paths.pop_back();
    else
        lens.time = {};
    return lens;
}

} // namespace hearth
