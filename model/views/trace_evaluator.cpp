#include "model/views/trace_evaluator.h"

#include "model/views/frame_filter.h"
#include "model/views/linked_spans.h"
#include "model/views/parallel.h"
#include "model/views/time_range.h"
#include "model/views/tree_shape.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace hearth {

namespace {

bool asksForCode(const Lens &lens)
{
    return !lens.paths.empty() || !lens.under.empty() ||
           std::ranges::any_of(lens.frames, [](const FrameTerm &term) {
               return term.kind == FrameTermKind::From || term.kind == FrameTermKind::Pivot;
           });
}

/// By span: whether it has the lens's attributes and is what its terms on spans name. What ran in the
/// children of a span ran in it, but it is the span that the terms are about.
std::vector<std::uint8_t> shownSpans(const Snapshot &snapshot, const SpanTable &table, const Lens &lens,
                                     const CompiledLens &compiled)
{
    std::vector<std::uint8_t> isShown = matchSpans(compiled, snapshot, table);
    if (compiled.restrictsContexts()) {
        const std::vector<std::uint8_t> contexts = matchContexts(compiled, snapshot);
        for (std::size_t i = 0; i < isShown.size(); ++i)
            isShown[i] &= contexts[table.context(SpanRow(i)).value];
    }
    if (!lens.time.isEverything()) {
        const TimeRange range = resolve(lens.time, snapshot);
        for (std::size_t i = 0; i < isShown.size(); ++i)
            if (table.startNs(SpanRow(i)) > range.end || table.endNs(SpanRow(i)) < range.begin)
                isShown[i] = 0;
    }
    return isShown;
}

/// By link: whether there is a sample with it that the lens keeps.
Result<std::vector<std::uint8_t>> sampledLinks(const std::shared_ptr<const Snapshot> &snapshot,
                                               const Lens &lens, const CompiledLens &compiled,
                                               const SampleSelection &selection, const std::stop_token &stop)
{
    auto filter = FrameFilter::create(compiled, lens, *snapshot);
    if (!filter)
        return tl::unexpected(filter.error());
    filter->extend(snapshot);
    TreeShape shape;
    if (!shape.extend(snapshot->stacks.span(), *filter, stop))
        return std::vector<std::uint8_t>();
    std::vector<std::uint8_t> isKept(snapshot->stacks.size());
    for (std::size_t i = 0; i < isKept.size(); ++i)
        isKept[i] = shape.nodeOf(StackId(i)).isNone() ? 0 : 1;

    std::vector<SeriesChunk> chunks;
    for (const SampleTable &table : snapshot->tables)
        std::ranges::copy(chunksOf(table, selection.series), std::back_inserter(chunks));
    std::vector<std::uint8_t> links(snapshot->links.size());
    std::mutex mutex;
    forEachPart(chunks.size(), 2, [&](std::size_t, std::size_t begin, std::size_t end) {
        std::vector<std::uint8_t> found(links.size());
        const auto reader = std::make_unique<SampleReader>(selection);
        for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i)
            reader->forEachRun(chunks[i], [&](SampleReader &run) {
                const auto linked = run.links();
                for (std::size_t at = 0; at < linked.size(); ++at)
                    if (run.values()[at] != 0)
                        found[linked[at]] |= isKept[run.stacks()[at]];
            });
        const std::lock_guard lock(mutex);
        for (std::size_t link = 1; link < links.size(); ++link)
            links[link] |= found[link];
    });
    return links;
}

/// A span ran what its children ran.
void keepSpansWithSamples(const SpanStudy &study, std::span<const std::uint8_t> links, bool countsChildren,
                          std::vector<std::uint8_t> &isShown)
{
    const SpanTable &table = study.table;
    std::vector<std::uint8_t> ran(table.size());
    for (std::size_t i = study.order.rows.size(); i-- > 0;) {
        const SpanRow row = study.order.rows[i];
        if (table.rowOf(table.link(row)) == row)
            ran[row.value] |= links[table.link(row).value];
        const SpanRow parent = study.order.parents[row.value];
        if (countsChildren && ran[row.value] != 0 && !parent.isNone())
            ran[parent.value] = 1;
    }
    for (std::size_t i = 0; i < isShown.size(); ++i)
        isShown[i] &= ran[i];
}

} // namespace

/// @return false if stopped
bool TraceEvaluator::study(const std::shared_ptr<const Snapshot> &snapshot, bool isEstimated,
                           const std::stop_token &stop)
{
    if (m_study && m_study->snapshot->store != snapshot->store)
        m_study = nullptr;
    if (m_study && m_study->snapshot->version == snapshot->version &&
        (m_study->estimate != nullptr) == isEstimated)
        return true;
    auto study = std::make_shared<SpanStudy>();
    study->snapshot = snapshot;
    if (m_study)
        study->table = m_study->table; // columns: copying them is nothing beside reading spans again
    study->table.extend(*snapshot);
    auto order = SpanOrder::of(study->table, stop);
    if (isEstimated)
        study->estimate = std::make_shared<const LinkEstimate>(*snapshot, study->table);
    auto weights = LinkWeights::of(*snapshot, study->estimate, stop);
    if (!order || !weights)
        return false;
    study->order = std::move(*order);
    study->weights = std::move(*weights);
    m_study = std::move(study);
    return true;
}

Result<std::shared_ptr<const TraceEvaluation>>
TraceEvaluator::evaluate(const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens,
                         const std::stop_token &stop)
{
    const Result<CompiledLens> compiled = compile(lens);
    if (!compiled)
        return tl::unexpected(compiled.error());
    if (!study(snapshot, lens.estimatesLinks, stop))
        return nullptr;
    const SpanTable &table = m_study->table;
    auto evaluation = std::make_shared<TraceEvaluation>();
    evaluation->study = m_study;
    evaluation->isShown = shownSpans(*snapshot, table, lens, *compiled);
    evaluation->needsCode = asksForCode(lens);
    const bool asksForSamples = compiled->restrictsContexts() || !lens.time.isEverything();
    if (snapshot->tables.empty()) {
        evaluation->links.resize(table.linkCount());
    } else if (evaluation->needsCode || asksForSamples) {
        auto selection = selectionOf(*snapshot, lens, &table);
        if (!selection)
            return tl::unexpected(selection.error());
        auto links = sampledLinks(snapshot, lens, *compiled, *selection, stop);
        if (!links)
            return tl::unexpected(links.error());
        if (stop.stop_requested())
            return nullptr;
        evaluation->links = std::move(*links);
    } else if (compiled->restrictsLinks()) {
        evaluation->links = matchLinks(*compiled, *snapshot, table);
    }
    if (evaluation->needsCode)
        keepSpansWithSamples(*m_study, evaluation->links, !lens.noChildren, evaluation->isShown);
    auto traces = traceList(*snapshot, table, m_study->weights, evaluation->isShown, evaluation->links, stop);
    auto groups = spanGroups(*snapshot, table, m_study->weights, evaluation->isShown, stop);
    if (!traces || !groups)
        return nullptr;
    evaluation->traces = std::move(*traces);
    evaluation->groups = std::move(*groups);
    return evaluation;
}

} // namespace hearth
