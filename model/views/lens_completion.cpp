#include "model/views/lens_completion.h"

#include "model/lens/lens_quoting.h"
#include "model/lens/lens_steps.h"
#include "model/lens/lens_text.h"
#include "model/lens/lens_words.h"
#include "model/views/attribute_weights.h"
#include "model/views/entry_search.h"
#include "model/views/entry_table.h"
#include "model/views/series_choice.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace hearth {

namespace {

/// Where the last term begins: behind the last blank that is in no quotes.
std::size_t beginOfLastTerm(std::string_view text)
{
    std::size_t begin = 0;
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && isQuoted)
            ++i;
        else if (text[i] == '"')
            isQuoted = !isQuoted;
        else if (isBlank(text[i]) && !isQuoted)
            begin = i + 1;
    }
    return begin;
}

std::string printed(const FrameTerm &term)
{
    Lens lens;
    lens.frames.push_back(term);
    return printLens(lens);
}

std::string printed(const PathTerm &term)
{
    Lens lens;
    lens.paths.push_back(term);
    return printLens(lens);
}

std::string printed(const AttributeTerm &term)
{
    Lens lens;
    lens.attributes.push_back(term);
    return printLens(lens);
}

/// The term of this key with an expression; empty if the key takes none.
std::string termWith(LensKey key, const std::string &expression)
{
    switch (key) {
    case LensKey::Hide:
        return printed({FrameTermKind::Hide, expression});
    case LensKey::Show:
        return printed({FrameTermKind::Show, expression});
    case LensKey::From:
        return printed({FrameTermKind::From, expression});
    case LensKey::To:
        return printed({FrameTermKind::To, expression});
    case LensKey::Once:
        return printed({FrameTermKind::Once, expression});
    case LensKey::Pivot:
        return printed({FrameTermKind::Pivot, expression});
    case LensKey::Focus:
        return printed(PathTerm{PathTermKind::Focus, expression});
    case LensKey::Ignore:
        return printed(PathTerm{PathTermKind::Focus, expression, true});
    case LensKey::Self:
        return printed(PathTerm{PathTermKind::Self, expression});
    case LensKey::Regex:
        return printed(PathTerm{PathTermKind::Regex, expression});
    default:
        return {};
    }
}

class Completer {
public:
    Completer(const Snapshot &snapshot, const Evaluation &evaluation, std::string_view typed,
              std::size_t limit, std::stop_token stop)
        : m_snapshot(snapshot), m_evaluation(evaluation), m_typed(typed), m_limit(limit),
          m_stop(std::move(stop))
    {}

    bool run()
    {
        if (m_typed.starts_with('-')) {
            m_sign = "-";
            m_typed.remove_prefix(1);
        }
        if (m_typed.starts_with('@'))
            return completeAttribute(m_typed.substr(1));
        if (const std::size_t length = keyLength(m_typed); length > 0) {
            const auto key = lensKeyNamed(m_typed.substr(0, length));
            return !key || completeValue(*key, m_typed.substr(length + 1));
        }
        return completeWord();
    }
    std::vector<Completion> take() && { return std::move(m_items); }

private:
    void add(CompletionKind kind, const std::string &term, std::string_view name,
             std::optional<std::int64_t> weight = std::nullopt)
    {
        if (m_items.size() < m_limit)
            m_items.push_back({kind, m_sign + term, std::string(name), weight});
    }

    /// Names of one kind that fit, the best first.
    template <class TermOf>
    void addNames(CompletionKind kind, const std::set<std::string_view> &names, std::string_view typed,
                  const TermOf &termOf)
    {
        std::vector<std::pair<NameFit, std::string_view>> fitting;
        for (const std::string_view name : names)
            if (const NameFit fit = fitOf(name, typed); typed.empty() || fit < NameFit::Letters)
                fitting.emplace_back(fit, name);
        std::ranges::stable_sort(fitting, {}, &std::pair<NameFit, std::string_view>::first);
        for (const auto &[fit, name] : fitting)
            add(kind, termOf(name), name);
    }

    template <class TermOf>
    bool addFunctions(std::string_view typed, TermOf termOf)
    {
        const auto hits = findEntries(*m_evaluation.tree, typed, m_limit, m_stop);
        if (!hits)
            return false;
        for (const EntryHit &hit : *hits) {
            const Entry &entry = m_evaluation.tree->entries()[hit.entry];
            const StepSubject subject{entry.name, entry.binary};
            if (!entry.isTag)
                add(subject.isBinary() ? CompletionKind::Binary : CompletionKind::Function, termOf(subject),
                    entry.name, hit.weight);
        }
        return true;
    }

    bool completeWord();
    bool completeValue(LensKey key, std::string_view typed);
    bool completeAttribute(std::string_view typed);
    void addSpans(std::string_view typed);
    void addBinaries(std::string_view typed, FrameTermKind kind, bool isPath);
    bool addAttributeKeys(std::string_view typed, std::string_view before, std::string_view behind);
    bool completeGrouping(std::string_view typed);

    /// What attributes weigh is told of all samples: the lens may leave out what is looked for.
    Lens seriesAlone() const
    {
        Lens lens;
        lens.series = m_evaluation.series.name();
        return lens;
    }

    const Snapshot &m_snapshot;
    const Evaluation &m_evaluation;
    std::string_view m_typed;
    std::size_t m_limit;
    std::stop_token m_stop;
    std::string m_sign;
    std::vector<Completion> m_items;
};

/// A key of the language, a function, an attribute: whatever begins like this.
bool Completer::completeWord()
{
    constexpr std::array kOffered{LensKey::Hide,    LensKey::Show,     LensKey::From,      LensKey::To,
                                  LensKey::Once,    LensKey::Collapse, LensKey::Pivot,     LensKey::Self,
                                  LensKey::Library, LensKey::File,     LensKey::FrameKind, LensKey::By,
                                  LensKey::Series};
    if (m_typed.empty())
        return true;
    for (const LensKey key : kOffered)
        if (nameOf(key).starts_with(m_typed))
            add(CompletionKind::Key, std::string(nameOf(key)) + ':', nameOf(key));
    for (const std::string_view word : {kInvertedWord, kNoInlinesWord})
        if (word.starts_with(m_typed))
            add(CompletionKind::Key, std::string(word), word);
    if (m_snapshot.spans.rows > 0)
        for (const std::string_view word :
             {std::string_view("span="), std::string_view("span~"), std::string_view("duration>"),
              std::string_view("duration<"), kErrorWord, kNoChildrenWord, kEstimatedWord})
            if (word.starts_with(m_typed))
                add(CompletionKind::Key, std::string(word), word);
    return addFunctions(m_typed, [](const StepSubject &subject) {
        return subject.isBinary() ? printed(PathTerm{PathTermKind::Library, expressionOf(subject)})
                                  : printed(PathTerm{PathTermKind::Literal, std::string(subject.name)});
    });
}

bool Completer::completeValue(LensKey key, std::string_view typed)
{
    if (typed.starts_with('"') || typed.starts_with('^'))
        typed.remove_prefix(1);
    switch (key) {
    case LensKey::Library:
        addBinaries(typed, {}, true);
        return true;
    case LensKey::Collapse:
        addBinaries(typed, FrameTermKind::Collapse, false);
        return true;
    case LensKey::File: {
        std::set<std::string_view> files;
        for (const Function &function : m_snapshot.functions)
            files.insert(m_snapshot.text(function.file));
        files.erase(std::string_view());
        addNames(CompletionKind::File, files, typed,
                 [](std::string_view name) { return printed(PathTerm{PathTermKind::File, exactly(name)}); });
        return true;
    }
    case LensKey::FrameKind: {
        std::set<std::string_view> kinds;
        for (const Frame &frame : m_snapshot.frames)
            kinds.insert(m_snapshot.text(frame.kind));
        kinds.erase(std::string_view());
        addNames(CompletionKind::FrameKind, kinds, typed, [](std::string_view name) {
            return printed(PathTerm{PathTermKind::FrameKind, std::string(name)});
        });
        return true;
    }
    case LensKey::Series:
        for (const SeriesChoice &series : offeredSeries(m_snapshot))
            if (typed.empty() || fitOf(series.name(), typed) != NameFit::None) {
                Lens lens;
                lens.series = series.name();
                add(CompletionKind::Series, printLens(lens), series.name());
            }
        return true;
    case LensKey::By:
        return completeGrouping(typed);
    case LensKey::Span:
        addSpans(typed);
        return true;
    default:
        return termWith(key, "x").empty() || addFunctions(typed, [key](const StepSubject &subject) {
                   return termWith(key, expressionOf(subject));
               });
    }
}

void Completer::addSpans(std::string_view typed)
{
    std::vector<bool> wasSeen(m_snapshot.strings.size());
    std::set<std::string_view> names;
    m_snapshot.spans.forEach([&](const SpanChunk &, const Span &span) {
        if (!wasSeen[span.name.value])
            names.insert(m_snapshot.text(span.name));
        wasSeen[span.name.value] = true;
    });
    addNames(CompletionKind::Span, names, typed, [](std::string_view name) {
        Lens lens;
        lens.spans.push_back({SpanTermKind::Name, std::string(name), 0, false});
        return printLens(lens);
    });
}

void Completer::addBinaries(std::string_view typed, FrameTermKind kind, bool isPath)
{
    std::set<std::string_view> names;
    for (const Binary &binary : m_snapshot.binaries)
        names.insert(baseName(m_snapshot.text(binary.path)));
    names.erase(std::string_view());
    addNames(CompletionKind::Binary, names, typed, [&](std::string_view name) {
        const StepSubject subject{{}, name};
        return isPath ? printed(PathTerm{PathTermKind::Library, binaryExpression(subject)})
                      : printed({kind, binaryExpression(subject)});
    });
}

bool Completer::addAttributeKeys(std::string_view typed, std::string_view before, std::string_view behind)
{
    const auto facets = facetsOf(m_snapshot, seriesAlone(), m_stop);
    if (!facets)
        return !m_stop.stop_requested();
    for (const AttributeFacet &facet : *facets)
        if (typed.empty() || fitOf(facet.key, typed) != NameFit::None) {
            const std::string key = canStandBare(facet.key, "=~,") ? facet.key : quoted(facet.key);
            add(CompletionKind::Attribute, std::string(before) + key + std::string(behind), facet.key);
        }
    return true;
}

bool Completer::completeAttribute(std::string_view typed)
{
    const std::size_t separator = typed.find('=');
    if (separator == std::string_view::npos)
        return addAttributeKeys(typed, "@", "=");
    std::string_view key = typed.substr(0, separator);
    if (key.size() > 1 && key.front() == '"' && key.back() == '"')
        key = key.substr(1, key.size() - 2);
    std::string_view value = typed.substr(separator + 1);
    if (value.starts_with('"'))
        value.remove_prefix(1);
    const auto facets = facetsOf(m_snapshot, seriesAlone(), m_stop);
    if (!facets)
        return !m_stop.stop_requested();
    const auto facet = std::ranges::find(*facets, key, &AttributeFacet::key);
    if (facet == facets->end())
        return true;
    for (const AttributeValue &candidate : facet->values)
        if (value.empty() || fitOf(candidate.text, value) != NameFit::None)
            add(CompletionKind::Value,
                printed(AttributeTerm{AttributeTermKind::Equals, facet->key, candidate.text}), candidate.text,
                candidate.weight);
    return true;
}

/// The last item of a list: what a row is, or an attribute.
bool Completer::completeGrouping(std::string_view typed)
{
    const std::size_t comma = typed.rfind(',');
    const std::string before =
        "by:" + std::string(typed.substr(0, comma == std::string_view::npos ? 0 : comma + 1));
    if (comma != std::string_view::npos)
        typed.remove_prefix(comma + 1);
    for (const Granularity granularity : {Granularity::Function, Granularity::FileFunction, Granularity::File,
                                          Granularity::Line, Granularity::Binary, Granularity::Address})
        if (nameOf(granularity).starts_with(typed))
            add(CompletionKind::Row, before + std::string(nameOf(granularity)), nameOf(granularity));
    return addAttributeKeys(typed, before, {});
}

} // namespace

std::optional<Completions> completionsOf(const Snapshot &snapshot, const Evaluation &evaluation,
                                         std::string_view text, std::size_t limit,
                                         const std::stop_token &stop)
{
    const std::size_t begin = beginOfLastTerm(text);
    Completer completer(snapshot, evaluation, text.substr(begin), limit, stop);
    if (!completer.run())
        return std::nullopt;
    return Completions{begin, std::move(completer).take()};
}

} // namespace hearth
