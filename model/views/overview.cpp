#include "model/views/overview.h"

#include "model/views/attribute_weights.h"
#include "model/views/event_series.h"
#include "model/views/symbol_coverage.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace hearth {

namespace {

constexpr std::size_t kMostAttributes = 3;

std::shared_ptr<const Evaluation> evaluated(Evaluator &evaluator,
                                            const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens,
                                            const std::stop_token &stop)
{
    const auto evaluation = evaluator.evaluate(snapshot, lens, stop);
    return evaluation ? *evaluation : nullptr;
}

/// How often the program was observed for what the lens shows.
/// @return nothing if stopped
std::optional<double> observationsOf(Evaluator &evaluator, const std::shared_ptr<const Snapshot> &snapshot,
                                     Lens lens, const std::shared_ptr<const Evaluation> &evaluation,
                                     const std::stop_token &stop)
{
    const EventSeries events = eventSeriesOf(*snapshot, evaluation->series);
    lens.series = events.name;
    const auto counted = chooseSeries(*snapshot, events.name);
    const bool isSame = counted && *counted == evaluation->series;
    const auto counts = isSame ? evaluation : evaluated(evaluator, snapshot, lens, stop);
    if (!counts)
        return std::nullopt;
    return std::abs(static_cast<double>(counts->matched)) / events.weight;
}

/// The attributes that people ask for first, if they tell samples apart.
/// @return nothing if stopped
std::optional<std::deque<AttributeTop>> attributesOf(Evaluator &evaluator,
                                                     const std::shared_ptr<const Snapshot> &snapshot,
                                                     Lens lens, std::size_t rows, const std::stop_token &stop)
{
    std::deque<AttributeTop> attributes;
    for (std::string &key : attributeKeys(*snapshot)) {
        if (attributes.size() == kMostAttributes)
            break;
        lens.groupBy = {key};
        const auto evaluation = evaluated(evaluator, snapshot, lens, stop);
        if (!evaluation)
            return std::nullopt;
        auto values = topTable(*evaluation->tree, TopOrder::Total, evaluation->groupDepth, rows, stop);
        if (!values)
            return std::nullopt;
        if (values->rowCount > 1)
            attributes.push_back({std::move(key), std::move(*values)});
    }
    return attributes;
}

std::optional<BinaryTable> heaviestBinaries(Evaluator &evaluator,
                                            const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens,
                                            const std::stop_token &stop)
{
    auto binaries = binaryTable(evaluator, snapshot, lens, stop);
    if (binaries)
        std::ranges::stable_sort(binaries->rows, [](const BinaryRow &a, const BinaryRow &b) {
            return isHeavier(a.self, a.path, b.self, b.path);
        });
    return binaries;
}

} // namespace

std::optional<Overview> overviewOf(Evaluator &evaluator, const std::shared_ptr<const Snapshot> &snapshot,
                                   Lens lens, std::size_t rows, const std::stop_token &stop)
{
    lens.groupBy.clear();
    lens.granularity = Granularity::Function;
    lens.isInverted = false;
    const auto evaluation = evaluated(evaluator, snapshot, lens, stop);
    if (!evaluation)
        return std::nullopt;
    const auto symbols = symbolCoverageOf(*evaluation->tree, stop);
    auto functions = topTable(*evaluation->tree, TopOrder::Self, 0, rows, stop);
    auto binaries = heaviestBinaries(evaluator, snapshot, lens, stop);
    auto attributes = attributesOf(evaluator, snapshot, lens, rows, stop);
    const auto observations = observationsOf(evaluator, snapshot, lens, evaluation, stop);
    if (!symbols || !functions || !binaries || !attributes || !observations)
        return std::nullopt;
    Overview overview{.snapshot = snapshot,
                      .facts = factsOf(*snapshot),
                      .evaluation = evaluation,
                      .named = symbols->named,
                      .functions = std::move(*functions),
                      .binaries = std::move(*binaries),
                      .attributes = std::move(*attributes),
                      .advice = {}};
    auto advice = adviceOn(overview, lens, *observations, stop);
    if (!advice)
        return std::nullopt;
    overview.advice = std::move(*advice);
    return overview;
}

} // namespace hearth
