#include "model/views/linked_spans.h"

#include "model/views/string_matches.h"
#include "model/views/time_range.h"

#include <algorithm>
#include <ranges>

namespace hearth {

namespace {

using Condition = CompiledLens::SpanCondition;

/// Keeps of `matched` what `holds`, or what it does not.
template <class Holds>
void keepWhere(std::vector<std::uint8_t> &matched, bool isNegated, Holds holds)
{
    for (std::size_t i = 0; i < matched.size(); ++i)
        matched[i] = matched[i] != 0 && holds(SpanRow(i)) != isNegated ? 1 : 0;
}

/// By trace: whether its id begins like this.
std::vector<std::uint8_t> matchTraces(const TracePrefix &prefix, const Snapshot &snapshot,
                                      const SpanTable &table)
{
    std::vector<std::uint8_t> matched(table.traceCount());
    for (std::size_t i = 0; i < matched.size(); ++i)
        matched[i] = prefix.matches(snapshot.links[table.anyLink(TraceRow(i)).value].trace) ? 1 : 0;
    return matched;
}

bool compare(SpanTermKind kind, std::int64_t durationNs, std::int64_t boundNs)
{
    switch (kind) {
    case SpanTermKind::Longer:
        return durationNs > boundNs;
    case SpanTermKind::AtLeast:
        return durationNs >= boundNs;
    case SpanTermKind::Shorter:
        return durationNs < boundNs;
    default:
        return durationNs <= boundNs;
    }
}

/// The row of a string; none if the data set does not have it.
StringId findString(const Snapshot &snapshot, std::string_view text)
{
    for (std::size_t i = 0; i < snapshot.strings.size(); ++i)
        if (snapshot.text(StringId(i)) == text)
            return StringId(i);
    return StringId::none();
}

void apply(const Condition &condition, const Snapshot &snapshot, const SpanTable &table,
           std::vector<std::uint8_t> &matched)
{
    const auto keep = [&](auto holds) { keepWhere(matched, condition.isNegated, holds); };
    switch (condition.kind) {
    case SpanTermKind::Name: {
        const StringId name = findString(snapshot, condition.name);
        return keep([&](SpanRow row) { return table.name(row) == name; });
    }
    case SpanTermKind::Matches: {
        StringMatches names(condition.matcher);
        return keep([&](SpanRow row) { return names.matches(snapshot, table.name(row)); });
    }
    case SpanTermKind::Id:
        return keep(
            [&](SpanRow row) { return condition.id.matches(snapshot.links[table.link(row).value].span); });
    case SpanTermKind::Failed:
        return keep([&](SpanRow row) { return (table.marks(row) & kSpanFailed) != 0; });
    default:
        return keep(
            [&](SpanRow row) { return compare(condition.kind, table.durationNs(row), condition.ns); });
    }
}

/// Adds what is below the links that are in. Each link is added once, so this ends whoever is whose parent.
void addChildren(const SpanTable &table, std::vector<std::uint8_t> &links)
{
    std::vector<LinkId> open;
    for (std::size_t link = 1; link < links.size(); ++link)
        if (links[link] != 0 && !table.firstChild(LinkId(link)).isNone())
            open.emplace_back(link);
    while (!open.empty()) {
        const LinkId parent = open.back();
        open.pop_back();
        for (SpanRow child = table.firstChild(parent); !child.isNone(); child = table.nextSibling(child)) {
            const LinkId link = table.link(child);
            if (link == LinkId() || links[link.value] != 0)
                continue;
            links[link.value] = 1;
            open.push_back(link);
        }
    }
}

/// Do ids alone decide? Then it does not take the span to tell.
bool asksForIdsAlone(const CompiledLens &lens)
{
    return lens.spanAttributes.empty() && std::ranges::all_of(lens.spans, [](const Condition &condition) {
               return condition.kind == SpanTermKind::Id && !condition.isNegated;
           });
}

void addById(const CompiledLens &lens, const Snapshot &snapshot, const SpanTable &table,
             std::vector<std::uint8_t> &links)
{
    std::vector<std::uint8_t> traces;
    if (lens.trace)
        traces = matchTraces(*lens.trace, snapshot, table);
    for (std::size_t i = 1; i < links.size(); ++i) {
        const LinkId link(i);
        const TraceRow trace = table.traceOf(link);
        const bool isInTrace = !lens.trace || (!trace.isNone() && traces[trace.value] != 0);
        if (isInTrace && std::ranges::all_of(lens.spans, [&](const Condition &condition) {
                return condition.id.matches(snapshot.links[i].span);
            }))
            links[i] = 1;
    }
}

} // namespace

std::vector<std::uint8_t> matchSpans(const CompiledLens &lens, const Snapshot &snapshot,
                                     const SpanTable &table)
{
    std::vector<std::uint8_t> matched(table.size(), 1);
    if (lens.trace) {
        const std::vector<std::uint8_t> traces = matchTraces(*lens.trace, snapshot, table);
        keepWhere(matched, false, [&](SpanRow row) {
            const TraceRow trace = table.trace(row);
            return !trace.isNone() && traces[trace.value] != 0;
        });
    }
    for (const Condition &condition : lens.spans)
        apply(condition, snapshot, table, matched);
    for (const AttributeFilter &filter : lens.spanAttributes) {
        const std::vector<std::uint8_t> contexts = matchContexts(filter, snapshot);
        keepWhere(matched, false, [&](SpanRow row) { return contexts[table.context(row).value] != 0; });
    }
    return matched;
}

std::vector<std::uint8_t> matchLinks(const CompiledLens &lens, const Snapshot &snapshot,
                                     const SpanTable &table)
{
    std::vector<std::uint8_t> links(table.linkCount());
    if (asksForIdsAlone(lens)) {
        addById(lens, snapshot, table, links);
    } else {
        const std::vector<std::uint8_t> spans = matchSpans(lens, snapshot, table);
        for (std::size_t i = 0; i < spans.size(); ++i)
            if (spans[i] != 0)
                links[table.link(SpanRow(i)).value] = 1;
        links[LinkId().value] = 0; // spans without an id have no samples
    }
    if (!lens.noChildren && lens.restrictsSpans())
        addChildren(table, links);
    return links;
}

Result<SampleSelection> selectionOf(const Snapshot &snapshot, const Lens &lens, const SpanTable *table)
{
    const auto compiled = compile(lens);
    if (!compiled)
        return tl::unexpected(compiled.error());
    const auto series = chooseSeries(snapshot, lens.series);
    if (!series)
        return tl::unexpected(series.error());
    SampleSelection selection;
    selection.series = *series;
    if (!lens.time.isEverything())
        selection.time = resolve(lens.time, snapshot);
    if (compiled->restrictsContexts())
        selection.contexts = matchContexts(*compiled, snapshot);
    if (!compiled->restrictsLinks() && !compiled->estimatesLinks)
        return selection;
    SpanTable own;
    if (table == nullptr)
        own.extend(snapshot);
    const SpanTable &spans = table != nullptr ? *table : own;
    if (compiled->restrictsLinks())
        selection.links = matchLinks(*compiled, snapshot, spans);
    if (compiled->estimatesLinks)
        selection.estimate = std::make_shared<const LinkEstimate>(snapshot, spans);
    return selection;
}

} // namespace hearth
