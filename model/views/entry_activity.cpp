#include "model/views/entry_activity.h"

#include "model/lens/compiled_lens.h"
#include "model/views/named_frames.h"
#include "model/views/stack_weights.h"
#include "model/views/time_range.h"
#include "model/views/timeline.h"

#include <algorithm>
#include <cmath>

namespace hearth {

namespace {

/// By stack: whether such a frame is on it.
std::vector<bool> stacksThrough(const Snapshot &snapshot, std::string_view name)
{
    const std::vector<bool> frames = framesNamed(snapshot, name);
    std::vector<bool> found(snapshot.stacks.size());
    for (std::size_t stack = 0; stack < found.size(); ++stack) {
        const StackNode &node = snapshot.stacks[stack];
        if (!node.parent.isNone())
            found[stack] = frames[node.frame.value] || found[node.parent.value];
    }
    return found;
}

std::optional<SampleSelection> selectionOf(const Snapshot &snapshot, const Lens &lens)
{
    const auto compiled = compile(lens);
    const auto series = chooseSeries(snapshot, lens.series);
    if (!compiled || !series)
        return std::nullopt;
    SampleSelection selection;
    selection.series = *series;
    if (!lens.time.isEverything())
        selection.time = resolve(lens.time, snapshot);
    if (compiled->restrictsContexts())
        selection.contexts = matchContexts(*compiled, snapshot);
    return selection;
}

} // namespace

double EntryActivity::shareError() const
{
    constexpr double kDeviations = 1.96;
    const double part = share();
    return all == 0 ? 1 : kDeviations * std::sqrt(part * (1 - part) / static_cast<double>(all));
}

std::optional<EntryActivity> entryActivityOf(const Snapshot &snapshot, const Lens &lens,
                                             std::string_view name, std::size_t bins,
                                             const std::stop_token &stop)
{
    const auto selection = selectionOf(snapshot, lens);
    if (!selection)
        return std::nullopt;
    EntryActivity activity;
    if (const auto span = timeSpanOf(snapshot)) {
        activity.range = *span;
        if (selection->time)
            activity.range = {std::max(span->begin, selection->time->begin),
                              std::min(span->end, selection->time->end)};
        activity.bins.resize(activity.range.begin <= activity.range.end ? bins : 0);
    }
    const std::vector<bool> isThrough = stacksThrough(snapshot, name);
    SampleReader reader(*selection);
    for (const SampleTable &table : snapshot.tables)
        for (const SeriesChunk &chunk : chunksOf(table, selection->series)) {
            if (stop.stop_requested())
                return std::nullopt;
            reader.forEachRun(chunk, [&](SampleReader &run) {
                const bool hasTimes = chunk.hasTimes && !activity.bins.empty();
                const auto times = hasTimes ? run.times() : std::span<const std::int64_t>();
                for (std::size_t i = 0; i < run.stacks().size(); ++i) {
                    if (run.values()[i] == 0)
                        continue;
                    ++activity.all;
                    if (!isThrough[run.stacks()[i]])
                        continue;
                    ++activity.samples;
                    if (!hasTimes || !activity.range.contains(times[i]))
                        continue;
                    std::int64_t &bin = activity.bins[binOf(activity.range, bins, times[i])];
                    Sum sum{bin};
                    sum.add(run.values()[i]);
                    bin = sum.value;
                }
            });
        }
    return activity;
}

} // namespace hearth
