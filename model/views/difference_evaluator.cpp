#include "model/views/difference_evaluator.h"

#include "model/lens/compiled_lens.h"
#include "model/views/event_series.h"
#include "model/views/linked_spans.h"
#include "model/views/span_table.h"
#include "model/views/time_range.h"

#include <string>

namespace hearth {

namespace {

/// @return a side without weights if stopped
Result<DifferenceSide> sideOf(Evaluator &evaluator, const ComparedView &view, const std::stop_token &stop)
{
    DifferenceSide side;
    const auto weights = evaluator.evaluate(view.snapshot, view.lens, stop);
    if (!weights)
        return tl::unexpected(weights.error());
    if (!*weights)
        return side;
    const EventSeries events = eventSeriesOf(*view.snapshot, (*weights)->series);
    const Result<SeriesChoice> counted = chooseSeries(*view.snapshot, events.name);
    if (!counted)
        return tl::unexpected(counted.error());
    side.eventWeight = events.weight;
    if (*counted == (*weights)->series) {
        side.weights = side.events = *weights;
        return side;
    }
    Lens lens = view.lens;
    lens.series = events.name;
    const auto counts = evaluator.evaluate(view.snapshot, lens, stop);
    if (!counts)
        return tl::unexpected(counts.error());
    if (*counts) {
        side.weights = *weights;
        side.events = *counts;
    }
    return side;
}

Result<Scaling> ratio(double base, double current, std::string_view ofWhat)
{
    if (base <= 0 || current <= 0)
        return failure("they cannot be compared by " + std::string(ofWhat) + ": that of the " +
                       (base <= 0 ? "baseline" : "current side") + " is not known");
    return Scaling{base / current, false};
}

Result<Scaling> scalingOf(const ComparedView &base, const Evaluation &baseWeights,
                          const ComparedView &current, const Evaluation &currentWeights,
                          Normalisation normalisation)
{
    switch (normalisation) {
    case Normalisation::None:
        return Scaling{};
    case Normalisation::Total:
        // A side without samples stays as it is: all of the other is gone, or new.
        if (baseWeights.selected == 0 || currentWeights.selected == 0)
            return Scaling{};
        return Scaling{
            static_cast<double>(baseWeights.selected) / static_cast<double>(currentWeights.selected), true};
    case Normalisation::Duration:
        return ratio(static_cast<double>(recordedDuration(base)),
                     static_cast<double>(recordedDuration(current)), "duration");
    case Normalisation::Requests:
        break;
    }
    const Result<std::uint64_t> baseRequests = requestCount(base);
    const Result<std::uint64_t> currentRequests = requestCount(current);
    if (!baseRequests || !currentRequests)
        return tl::unexpected(!baseRequests ? baseRequests.error() : currentRequests.error());
    return ratio(static_cast<double>(*baseRequests), static_cast<double>(*currentRequests),
                 "number of requests");
}

} // namespace

std::string_view nameOf(Normalisation normalisation)
{
    switch (normalisation) {
    case Normalisation::Total:
        return "total";
    case Normalisation::Duration:
        return "duration";
    case Normalisation::Requests:
        return "requests";
    case Normalisation::None:
        break;
    }
    return "none";
}

std::int64_t recordedDuration(const ComparedView &view)
{
    const std::optional<TimeRange> span = timeSpanOf(*view.snapshot);
    if (view.lens.time.isEverything()) {
        const Origin origin = mergedOrigin(*view.snapshot);
        return origin.durationNs > 0 ? origin.durationNs : span ? span->end - span->begin : 0;
    }
    if (!span)
        return 0;
    const TimeRange range = resolve(view.lens.time, *view.snapshot);
    const std::int64_t begin = std::max(range.begin, span->begin);
    const std::int64_t end = std::min(range.end, span->end);
    return end < begin ? 0 : end - begin + 1;
}

Result<std::uint64_t> requestCount(const ComparedView &view)
{
    const Result<CompiledLens> compiled = compile(view.lens);
    if (!compiled)
        return tl::unexpected(compiled.error());
    SpanTable spans;
    spans.extend(*view.snapshot);
    const Result<SampleSelection> selection = selectionOf(*view.snapshot, view.lens, &spans);
    if (!selection)
        return tl::unexpected(selection.error());
    const bool hasTerms = compiled->restrictsLinks();
    std::vector<std::uint8_t> matches;
    if (hasTerms)
        matches = matchSpans(*compiled, *view.snapshot, spans);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const SpanRow row(i);
        const bool isRequest = hasTerms ? matches[i] != 0 : spans.parentLink(row) == LinkId();
        const bool isInTime = !selection->time || selection->time->contains(spans.startNs(row));
        const bool isInContext =
            selection->contexts.empty() || selection->contexts[spans.context(row).value] != 0;
        count += isRequest && isInTime && isInContext;
    }
    return count;
}

Result<std::shared_ptr<const Difference>> DifferenceEvaluator::evaluate(const ComparedView &base,
                                                                        const ComparedView &current,
                                                                        Normalisation normalisation,
                                                                        const std::stop_token &stop)
{
    const Result<DifferenceSide> currentSide = sideOf(m_current, current, stop);
    if (!currentSide)
        return tl::unexpected(currentSide.error());
    if (!currentSide->weights)
        return nullptr;
    ComparedView alike = base;
    alike.lens.series = currentSide->weights->series.name();
    alike.lens.granularity = current.lens.granularity;
    alike.lens.groupBy = current.lens.groupBy;
    alike.lens.tagRoot = current.lens.tagRoot;
    alike.lens.tagLeaf = current.lens.tagLeaf;
    alike.lens.noInlines = current.lens.noInlines;
    const Result<DifferenceSide> baseSide = sideOf(m_base, alike, stop);
    if (!baseSide)
        return failure("the baseline: " + baseSide.error().message);
    if (!baseSide->weights)
        return nullptr;
    const Result<Scaling> scaling =
        scalingOf(alike, *baseSide->weights, current, *currentSide->weights, normalisation);
    if (!scaling)
        return tl::unexpected(scaling.error());
    auto difference = differenceOf(*baseSide, *currentSide, current.lens.granularity, *scaling, stop);
    if (!difference)
        return nullptr;
    return std::make_shared<const Difference>(std::move(*difference));
}

} // namespace hearth
