#include "model/views/entry_activity.h"

#include "model/views/linked_spans.h"
#include "model/views/named_frames.h"
#include "model/views/stack_weights.h"
#include "model/views/time_range.h"
#include "model/views/timeline.h"

#include <algorithm>
#include <bit>
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

/// What there is of the selection's time; nothing if nothing has a time in it.
std::optional<TimeRange> rangeOf(const Snapshot &snapshot, const SampleSelection &selection)
{
    std::optional<TimeRange> range = timeSpanOf(snapshot);
    if (range && selection.time)
        range = {std::max(range->begin, selection.time->begin), std::min(range->end, selection.time->end)};
    return range && range->begin <= range->end ? range : std::nullopt;
}

/// By stack: bit i if the name i is on it.
std::vector<std::uint64_t> stacksThroughEach(const Snapshot &snapshot,
                                             std::span<const std::string_view> names)
{
    std::vector<std::uint64_t> ofStack(snapshot.stacks.size());
    const std::vector<std::uint64_t> ofFrame = framesNamed(snapshot, names);
    for (std::size_t stack = 0; stack < ofStack.size(); ++stack)
        if (const StackNode &node = snapshot.stacks[stack]; !node.parent.isNone())
            ofStack[stack] = ofFrame[node.frame.value] | ofStack[node.parent.value];
    return ofStack;
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
    if (const auto range = rangeOf(snapshot, *selection)) {
        activity.range = *range;
        activity.bins.resize(bins);
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
                    addTo(activity.bins[binOf(activity.range, bins, times[i])], run.values()[i]);
                }
            });
        }
    return activity;
}

std::optional<std::vector<std::vector<std::int64_t>>>
entryStripsOf(const Snapshot &snapshot, const Lens &lens, std::span<const std::string_view> names,
              std::size_t bins, const std::stop_token &stop)
{
    const auto selection = selectionOf(snapshot, lens);
    if (!selection)
        return std::nullopt;
    std::vector<std::vector<std::int64_t>> strips(names.size());
    const auto range = rangeOf(snapshot, *selection);
    if (!range || bins == 0)
        return strips;
    for (std::vector<std::int64_t> &strip : strips)
        strip.resize(bins);
    const std::vector<std::uint64_t> ofStack =
        stacksThroughEach(snapshot, names.first(std::min(names.size(), kMostStrips)));
    SampleReader reader(*selection);
    for (const SampleTable &table : snapshot.tables)
        for (const SeriesChunk &chunk : chunksOf(table, selection->series)) {
            if (stop.stop_requested())
                return std::nullopt;
            if (!chunk.hasTimes)
                continue;
            reader.forEachRun(chunk, [&](SampleReader &run) {
                const auto times = run.times();
                for (std::size_t i = 0; i < times.size(); ++i) {
                    std::uint64_t bits = run.values()[i] == 0 ? 0 : ofStack[run.stacks()[i]];
                    if (bits == 0 || !range->contains(times[i]))
                        continue;
                    const std::size_t bin = binOf(*range, bins, times[i]);
                    for (; bits != 0; bits &= bits - 1)
                        addTo(strips[static_cast<std::size_t>(std::countr_zero(bits))][bin], run.values()[i]);
                }
            });
        }
    return strips;
}

} // namespace hearth
