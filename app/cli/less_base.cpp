#include "app/cli/less_base.h"

#include "app/cli/terminal.h"
#include "model/views/difference.h"
#include "model/views/net_total.h"

namespace hearth::cli {

namespace {

/// What a lens shows of one side. How certain it is does not matter here.
std::optional<DifferenceSide> sideOf(const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens,
                                     Exit &status)
{
    const auto evaluation = Evaluator().evaluate(snapshot, lens);
    if (!evaluation) {
        complain(evaluation.error().message);
        status = Exit::WrongUse;
        return std::nullopt;
    }
    return DifferenceSide{*evaluation, *evaluation, 1};
}

} // namespace

bool hasBase(const Arguments &arguments)
{
    return arguments.has("base") || arguments.has("diff-base");
}

std::optional<Opened> lessBase(const Arguments &arguments, Opened current, Exit &status)
{
    if (arguments.has("base") && arguments.has("diff-base")) {
        complain("--base and --diff-base exclude each other");
        status = Exit::WrongUse;
        return std::nullopt;
    }
    const bool isDiff = arguments.has("diff-base");
    const auto baseSnapshot =
        openFiles(arguments.values(isDiff ? "diff-base" : "base"), arguments, status, Opening::Symbols);
    if (!baseSnapshot)
        return std::nullopt;
    const auto currentSide = sideOf(current.snapshot, current.lens, status);
    if (!currentSide)
        return std::nullopt;
    Lens lens = current.lens;
    lens.series = currentSide->weights->series.name();
    const auto baseSide = sideOf(baseSnapshot, lens, status);
    if (!baseSide)
        return std::nullopt;
    const Evaluation &base = *baseSide->weights;
    Scaling scaling;
    if (arguments.has("normalize"))
        scaling.factor =
            currentSide->weights->total == 0
                ? 0
                : static_cast<double>(base.total) / static_cast<double>(currentSide->weights->total);
    const auto difference = differenceOf(*baseSide, *currentSide, lens.granularity, scaling, {});
    auto evaluation = std::make_shared<Evaluation>(*currentSide->weights);
    evaluation->tree = difference->tree;
    evaluation->matched = scaledBy(1, difference->tree->extent(TreeShape::kRoot));
    evaluation->selected = evaluation->matched;
    evaluation->warning = difference->warning;
    Sum total{base.total, difference->overflowed};
    if (!isDiff)
        total = netTotal(*baseSnapshot, base.series, *current.snapshot, currentSide->weights->series,
                         scaling.factor);
    evaluation->total = total.value;
    evaluation->overflowed = difference->overflowed || total.overflowed;
    current.evaluation = std::move(evaluation);
    complainOf(*current.evaluation, current.lens);
    return current;
}

} // namespace hearth::cli
