#include "tests/bench/traces.h"

#include "model/lens/lens_text.h"
#include "model/views/evaluator.h"
#include "model/views/trace_evaluator.h"
#include "model/views/waterfall.h"
#include "tests/bench/generate.h"
#include "tests/bench/report.h"
#include "tests/bench/timing.h"

#include <string>

namespace hearth::bench {

void benchTraces()
{
    const std::string name = "traces: 1 M spans, 10 M samples";
    if (!isWanted(name))
        return;
    const auto snapshot = tracedSnapshot(1'000'000, 10'000'000, 100'000);
    row(name + ": spans as columns", medianOf(5, [&] { SpanTable().extend(*snapshot); }));
    row(name + ": parents before children", medianOf(5, [&] {
            static SpanTable table;
            table.extend(*snapshot);
            (void)SpanOrder::of(table);
        }));
    row(name + ": time by span", medianOf(5, [&] { (void)LinkWeights::of(*snapshot, nullptr, {}); }));

    TraceEvaluator traces;
    std::shared_ptr<const TraceEvaluation> all;
    row(name + ": all of these, at first", medianOf(1, [&] { all = *traces.evaluate(snapshot, {}); }));
    row(name + ": list and groups", medianOf(7, [&] { all = *traces.evaluate(snapshot, {}); }),
        std::to_string(all->traces.size()) + " traces, " + std::to_string(all->groups.groups.size()) +
            " groups");
    int count = 0;
    row(name + ": search", medianOf(7, [&] {
            (void)traces.evaluate(
                snapshot, *parseLens("span~resource/" + std::to_string(++count) + " duration>10ms error"));
        }));
    row(name + ": sort", medianOf(7, [&] {
            const auto key = ++count % 2 == 0 ? TraceKey::Duration : TraceKey::Name;
            (void)arrangedTraces(*snapshot, all->study->table, all->traces, key, true);
        }));
    row(name + ": histogram",
        medianOf(7, [&] { (void)latencyHistogram(all->study->table, all->groups.spans, 120); }));
    row(name + ": waterfall", medianOf(7, [&] {
            (void)waterfallOf(*snapshot, all->study->table, all->study->order, all->study->weights,
                              all->traces[static_cast<std::size_t>(++count)].trace, {});
        }));
    row(name + ": function to spans", medianOf(7, [&] {
            (void)traces.evaluate(snapshot, *parseLens("/doTheWork" + std::to_string(++count) + "[(]/"));
        }));

    Evaluator evaluator;
    (void)evaluator.evaluate(snapshot, *parseLens("error"));
    row(name + ": span to flame graph", medianOf(7, [&] {
            const Link &link = snapshot->links[static_cast<std::size_t>(1000 * ++count)];
            (void)evaluator.evaluate(snapshot,
                                     *parseLens("trace=" + traceText(link) + " spanid=" + spanText(link)));
        }));
    row(name + ": group to flame graph", medianOf(7, [&] {
            (void)evaluator.evaluate(snapshot, *parseLens("span=\"GET /resource/" +
                                                          std::to_string(++count % 40) + "\" duration>1ms"));
        }));
}

} // namespace hearth::bench
