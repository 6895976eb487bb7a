#include "model/views/frame_weights.h"

#include "model/views/series_choice.h"
#include "model/views/stack_weights.h"

namespace hearth {

std::optional<std::vector<std::int64_t>> frameWeights(const Snapshot &snapshot, const std::stop_token &stop)
{
    std::vector<std::int64_t> weights(snapshot.frames.size());
    const auto series = chooseSeries(snapshot, {});
    if (!series)
        return weights;
    SampleSelection selection;
    selection.series = *series;
    auto sums = WeightSum(std::move(selection)).sum(snapshot, stop);
    if (!sums)
        return std::nullopt;
    std::vector<std::int64_t> &totals = sums->absolute.empty() ? sums->net : sums->absolute;
    for (std::size_t stack = totals.size(); stack-- > 1;) {
        const StackNode &node = snapshot.stacks[stack];
        addTo(weights[node.frame.value], totals[stack]);
        addTo(totals[node.parent.value], totals[stack]);
    }
    return weights;
}

} // namespace hearth
