#include "model/lens/attribute_filter.h"
#include "model/lens/lens_quoting.h"
#include "model/lens/lens_text.h"
#include "model/lens/lens_words.h"
#include "model/lens/time_text.h"

namespace hearth {

namespace {

/// Collects terms, a blank between them.
class Printer {
public:
    void add(std::string_view term, bool isNegated = false)
    {
        if (!m_text.empty())
            m_text += ' ';
        if (isNegated)
            m_text += '-';
        m_text += term;
    }
    void add(LensKey key, std::string_view value, bool isNegated = false)
    {
        add(std::string(nameOf(key)) + separatorOf(key) + std::string(value), isNegated);
    }
    std::string takeText() { return std::move(m_text); }

private:
    static char separatorOf(LensKey key)
    {
        switch (key) {
        case LensKey::Time:
        case LensKey::Trace:
        case LensKey::Span:
        case LensKey::SpanId:
            return '=';
        default:
            return ':';
        }
    }

    std::string m_text;
};

/// What stands behind a key and its separator.
std::string value(std::string_view text, std::string_view stops = {})
{
    // A colon at the beginning would make "::" with the one behind the key, and of that a name.
    const bool isBare = canStandBare(text, stops) && text[0] != ':' && text[0] != '=';
    return isBare ? std::string(text) : quoted(text);
}

std::string item(std::string_view text)
{
    return value(text, ",");
}

/// Would reading this between slashes stop just at its end?
bool canStandInSlashes(std::string_view expression)
{
    for (std::size_t at = 0; at < expression.size(); ++at) {
        const auto byte = static_cast<unsigned char>(expression[at]);
        const bool closes = byte == '/' && at + 1 < expression.size() && isBlank(expression[at + 1]);
        if (closes || byte < 0x20 || byte == 0x7f)
            return false;
    }
    return true;
}

void printPath(Printer &printer, const PathTerm &term)
{
    const std::string &text = term.text;
    switch (term.kind) {
    case PathTermKind::Literal:
        printer.add(isPlainWord(text) ? text : quoted(text), term.isNegated);
        break;
    case PathTermKind::Regex:
        if (canStandInSlashes(text))
            printer.add('/' + text + '/', term.isNegated);
        else
            printer.add(LensKey::Regex, value(text), term.isNegated);
        break;
    case PathTermKind::Focus:
        printer.add(term.isNegated ? LensKey::Ignore : LensKey::Focus, value(text));
        break;
    case PathTermKind::Library:
        printer.add(LensKey::Library, value(text), term.isNegated);
        break;
    case PathTermKind::File:
        printer.add(LensKey::File, value(text), term.isNegated);
        break;
    case PathTermKind::FrameKind:
        printer.add(LensKey::FrameKind, value(text), term.isNegated);
        break;
    case PathTermKind::Self:
        printer.add(LensKey::Self, value(text), term.isNegated);
        break;
    }
}

void printFrame(Printer &printer, const FrameTerm &term)
{
    switch (term.kind) {
    case FrameTermKind::Hide:
        printer.add(LensKey::Hide, value(term.text));
        break;
    case FrameTermKind::Show:
        printer.add(LensKey::Show, value(term.text));
        break;
    case FrameTermKind::From:
        printer.add(LensKey::From, value(term.text));
        break;
    case FrameTermKind::To:
        printer.add(LensKey::To, value(term.text));
        break;
    case FrameTermKind::Once:
        printer.add(LensKey::Once, value(term.text));
        break;
    case FrameTermKind::Collapse:
        printer.add(LensKey::Collapse, value(term.text));
        break;
    case FrameTermKind::Pivot:
        printer.add(LensKey::Pivot, value(term.text));
        break;
    }
}

void printSpan(Printer &printer, const SpanTerm &term)
{
    switch (term.kind) {
    case SpanTermKind::Name:
        printer.add(LensKey::Span, value(term.text), term.isNegated);
        break;
    case SpanTermKind::Matches:
        printer.add(std::string(kSpanWord) + '~' + value(term.text), term.isNegated);
        break;
    case SpanTermKind::Id:
        printer.add(LensKey::SpanId, term.text, term.isNegated);
        break;
    case SpanTermKind::Failed:
        printer.add(kErrorWord, term.isNegated);
        break;
    default:
        printer.add(std::string(kDurationWord) + std::string(comparisonOf(term.kind)) +
                        printDuration(term.ns),
                    term.isNegated);
    }
}

/// @param of what stands before the @
void printAttribute(Printer &printer, const AttributeTerm &term, std::string_view of = {})
{
    const std::string key = canStandBare(term.key, "=~") ? term.key : quoted(term.key);
    const bool isMatch = term.kind == AttributeTermKind::Matches;
    const bool looksLikeRange = term.kind == AttributeTermKind::Equals && QuantityRange::parse(term.text);
    printer.add(std::string(of) + '@' + key + (isMatch ? '~' : '=') +
                    (looksLikeRange ? quoted(term.text) : value(term.text)),
                term.isNegated);
}

void printNames(Printer &printer, LensKey key, const std::vector<std::string> &names)
{
    std::string list;
    for (const std::string &name : names)
        list += (list.empty() ? "" : ",") + item(name);
    if (!names.empty())
        printer.add(key, list);
}

void printGrouping(Printer &printer, const Lens &lens)
{
    std::string list;
    if (lens.granularity != Granularity::Function)
        list = nameOf(lens.granularity);
    for (const std::string &key : lens.groupBy)
        list += (list.empty() ? "" : ",") + (granularityNamed(key, false) ? quoted(key) : item(key));
    if (!list.empty())
        printer.add(LensKey::By, list);
}

} // namespace

std::string printLens(const Lens &lens)
{
    Printer printer;
    if (!lens.series.empty())
        printer.add(LensKey::Series, value(lens.series));
    if (!lens.time.isEverything())
        printer.add(LensKey::Time, printTimeTerm(lens.time));
    for (const PathTerm &term : lens.paths)
        printPath(printer, term);
    for (const FrameTerm &term : lens.frames)
        printFrame(printer, term);
    printNames(printer, LensKey::Under, lens.under);
    for (const TagTerm &term : lens.tags)
        printer.add(term.isNegated ? LensKey::TagIgnore : LensKey::TagFocus, value(term.text));
    for (const AttributeTerm &term : lens.attributes)
        printAttribute(printer, term);
    if (!lens.trace.empty())
        printer.add(LensKey::Trace, lens.trace);
    for (const SpanTerm &term : lens.spans)
        printSpan(printer, term);
    for (const AttributeTerm &term : lens.spanAttributes)
        printAttribute(printer, term, kSpanWord);
    printNames(printer, LensKey::TagRoot, lens.tagRoot);
    printNames(printer, LensKey::TagLeaf, lens.tagLeaf);
    printGrouping(printer, lens);
    if (lens.noChildren)
        printer.add(kNoChildrenWord);
    if (lens.estimatesLinks)
        printer.add(kEstimatedWord);
    if (lens.noInlines)
        printer.add(kNoInlinesWord);
    if (lens.isInverted)
        printer.add(kInvertedWord);
    return printer.takeText();
}

} // namespace hearth
