#include "model/views/line_weights.h"

#include "model/views/top_table.h"

namespace hearth {

std::optional<LineWeights> lineWeightsOf(Evaluator &evaluator,
                                         const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens,
                                         std::string_view function, const std::stop_token &stop)
{
    Lens byLine = lens;
    byLine.granularity = Granularity::Line;
    byLine.groupBy.clear();
    const auto evaluation = evaluator.evaluate(snapshot, byLine, stop);
    if (!evaluation || *evaluation == nullptr)
        return std::nullopt;
    const auto top = topTable(*(*evaluation)->tree, TopOrder::Total, 0, 0, stop);
    if (!top)
        return std::nullopt;
    LineWeights weights{{}, top->entries};
    for (const TopRow &row : top->rows)
        if (row.name == function)
            weights.lines.push_back({row.file, row.line, row.self, row.total});
    return weights;
}

} // namespace hearth
