#include "model/views/evaluator.h"

#include "model/lens/compiled_lens.h"
#include "model/views/frame_filter.h"
#include "model/views/grouped_stacks.h"
#include "model/views/linked_spans.h"
#include "model/views/stack_weights.h"
#include "model/views/time_range.h"
#include "model/views/tree_shape.h"

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

/// What of a lens decides about frames and stacks.
struct FrameKey {
    std::vector<PathTerm> paths;
    std::vector<FrameTerm> frames;
    std::vector<std::string> under;
    Granularity granularity = Granularity::Function;
    bool noInlines = false;
    bool isInverted = false;
    std::uint64_t symbolVersion = 0;

    bool operator==(const FrameKey &) const = default;
};

/// What of a lens decides about samples.
struct SampleKey {
    SeriesChoice series;
    TimeRange time;
    std::vector<TagTerm> tags;
    std::vector<AttributeTerm> attributes;
    std::string trace;
    std::vector<SpanTerm> spans;
    std::vector<AttributeTerm> spanAttributes;
    bool noChildren = false;
    bool estimatesLinks = false;

    bool operator==(const SampleKey &) const = default;
};

struct GroupKey {
    std::vector<std::string> tagRoot;
    std::vector<std::string> tagLeaf;
    std::vector<std::string> groupBy;

    bool any() const { return !tagRoot.empty() || !tagLeaf.empty() || !groupBy.empty(); }
    bool operator==(const GroupKey &) const = default;
};

struct FrameStage {
    FrameKey key;
    FrameFilter filter;
    TreeShape shape; ///< of stacks that are not grouped
};

struct SampleStage {
    SampleStage(SampleKey keyed, const Lens &lens) : key(std::move(keyed)), sum(selectionFor(key, lens)) {}

    static SampleSelection selectionFor(const SampleKey &key, const Lens &lens)
    {
        SampleSelection selection;
        selection.series = key.series;
        if (!lens.time.isEverything())
            selection.time = key.time;
        return selection;
    }

    SampleKey key;
    WeightSum sum;
};

struct TotalStage {
    std::uint64_t version = 0;
    SeriesChoice series;
    Sum total;
};

} // namespace

struct Evaluator::Stages {
    std::optional<FrameStage> frames;
    SpanTable spans; ///< as far as a lens asked for them
    std::optional<SampleStage> samples;
    std::optional<TotalStage> total;

    // What the last evaluation was made of.
    std::uint64_t store = 0;
    std::uint64_t version = 0;
    GroupKey groups;
    std::shared_ptr<const Evaluation> last;

    Result<bool> updateFrames(const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens,
                              const CompiledLens &compiled);
    bool updateSamples(const Snapshot &snapshot, const Lens &lens, const CompiledLens &compiled,
                       const SeriesChoice &series);
    const Sum &totalOf(const Snapshot &snapshot, const SeriesChoice &series);
    bool fillFromStacks(const Snapshot &snapshot, Evaluation &evaluation, const std::stop_token &stop);
    bool fillFromGroups(const Snapshot &snapshot, const Lens &lens, Evaluation &evaluation,
                        const std::stop_token &stop);
};

Evaluator::Evaluator() : m_stages(std::make_unique<Stages>()) {}
Evaluator::~Evaluator() = default;

/// @return whether the stage was kept
Result<bool> Evaluator::Stages::updateFrames(const std::shared_ptr<const Snapshot> &snapshot,
                                             const Lens &lens, const CompiledLens &compiled)
{
    // Only pivots are looked at differently when the tree is inverted.
    const bool hasPivot =
        std::ranges::find(lens.frames, FrameTermKind::Pivot, &FrameTerm::kind) != lens.frames.end();
    FrameKey key{lens.paths,
                 lens.frames,
                 lens.under,
                 lens.granularity,
                 lens.noInlines,
                 lens.isInverted && hasPivot,
                 snapshot->symbolVersion};
    const bool isKept = frames && frames->key == key;
    if (!isKept) {
        auto filter = FrameFilter::create(compiled, lens, *snapshot);
        if (!filter)
            return tl::unexpected(filter.error());
        frames.emplace(FrameStage{std::move(key), std::move(*filter), TreeShape()});
    }
    frames->filter.extend(snapshot);
    return isKept;
}

bool Evaluator::Stages::updateSamples(const Snapshot &snapshot, const Lens &lens,
                                      const CompiledLens &compiled, const SeriesChoice &series)
{
    SampleKey key{series,
                  lens.time.isEverything() ? TimeRange() : resolve(lens.time, snapshot),
                  lens.tags,
                  lens.attributes,
                  lens.trace,
                  lens.spans,
                  lens.spanAttributes,
                  lens.noChildren,
                  lens.estimatesLinks};
    std::vector<std::uint8_t> links;
    if (compiled.restrictsLinks()) {
        spans.extend(snapshot);
        links = matchLinks(compiled, snapshot, spans);
    }
    bool isKept = samples && samples->key == key;
    if (isKept) {
        // A span that arrives after its samples may bring in some that were left out.
        const std::vector<std::uint8_t> &before = samples->sum.selection().links;
        isKept = before.size() <= links.size() && std::equal(before.begin(), before.end(), links.begin());
    }
    // A guess may change with every span and with every context that arrives.
    const bool guesses = compiled.restrictsLinks() && compiled.estimatesLinks;
    isKept = isKept && (!guesses || version == snapshot.version);
    if (!isKept)
        samples.emplace(std::move(key), lens);
    SampleSelection &selection = samples->sum.selection();
    selection.links = std::move(links);
    if (guesses && !isKept)
        selection.estimate = std::make_shared<const LinkEstimate>(snapshot, spans);
    if (compiled.restrictsContexts()) {
        const auto more = matchContexts(compiled, snapshot, selection.contexts.size());
        selection.contexts.insert(selection.contexts.end(), more.begin(), more.end());
    }
    return isKept;
}

const Sum &Evaluator::Stages::totalOf(const Snapshot &snapshot, const SeriesChoice &series)
{
    if (!total || total->version != snapshot.version || total->series != series)
        total = TotalStage{snapshot.version, series, seriesTotal(snapshot, series)};
    return total->total;
}

Result<std::shared_ptr<const Evaluation>> Evaluator::evaluate(const std::shared_ptr<const Snapshot> &snapshot,
                                                              const Lens &lens, const std::stop_token &stop)
{
    if (m_stages->store != snapshot->store) {
        m_stages = std::make_unique<Stages>();
        m_stages->store = snapshot->store;
    }
    const Result<CompiledLens> compiled = compile(lens);
    if (!compiled)
        return tl::unexpected(compiled.error());
    const Result<SeriesChoice> series = chooseSeries(*snapshot, lens.series);
    if (!series)
        return tl::unexpected(series.error());
    const Result<bool> framesKept = m_stages->updateFrames(snapshot, lens, *compiled);
    if (!framesKept)
        return tl::unexpected(framesKept.error());
    const bool samplesKept = m_stages->updateSamples(*snapshot, lens, *compiled, *series);
    GroupKey groups{lens.tagRoot, lens.tagLeaf, lens.groupBy};
    if (*framesKept && samplesKept && groups == m_stages->groups && m_stages->version == snapshot->version &&
        m_stages->last)
        return m_stages->last;

    auto evaluation = std::make_shared<Evaluation>();
    evaluation->series = *series;
    evaluation->groupDepth = lens.groupBy.size();
    evaluation->warning = m_stages->frames->filter.warning();
    const Sum &total = m_stages->totalOf(*snapshot, *series);
    evaluation->total = total.value;
    evaluation->overflowed = total.overflowed;
    m_stages->last = nullptr;
    const bool isDone = groups.any() ? m_stages->fillFromGroups(*snapshot, lens, *evaluation, stop)
                                     : m_stages->fillFromStacks(*snapshot, *evaluation, stop);
    if (!isDone)
        return nullptr;
    m_stages->groups = std::move(groups);
    m_stages->version = snapshot->version;
    m_stages->last = evaluation;
    return evaluation;
}

bool Evaluator::Stages::fillFromStacks(const Snapshot &snapshot, Evaluation &evaluation,
                                       const std::stop_token &stop)
{
    if (!frames->shape.extend(snapshot.stacks.span(), frames->filter, stop))
        return false;
    const auto weights = samples->sum.sum(snapshot, stop);
    if (!weights)
        return false;
    std::vector<std::int64_t> self(frames->shape.nodeCount());
    Sum selected;
    Sum matched;
    for (std::size_t stack = 0; stack < weights->net.size(); ++stack) {
        if (weights->net[stack] == 0 && weights->magnitude(stack) == 0)
            continue;
        selected.add(weights->magnitude(stack));
        const NodeId node = frames->shape.nodeOf(StackId(stack));
        if (node.isNone())
            continue;
        Sum sum{self[node.value], evaluation.overflowed};
        sum.add(weights->net[stack]);
        self[node.value] = sum.value;
        evaluation.overflowed = sum.overflowed;
        matched.add(weights->magnitude(stack));
    }
    evaluation.selected = selected.value;
    evaluation.matched = matched.value;
    evaluation.overflowed |= weights->overflowed || matched.overflowed;
    auto tree = CallTree::build(frames->shape.nodes(), frames->filter.entries(), std::move(self), stop,
                                frames->shape.inlined());
    if (tree)
        evaluation.tree = std::make_shared<const CallTree>(std::move(*tree));
    return tree.has_value();
}

bool Evaluator::Stages::fillFromGroups(const Snapshot &snapshot, const Lens &lens, Evaluation &evaluation,
                                       const std::stop_token &stop)
{
    auto grouped = groupStacks(snapshot, lens, samples->sum.selection(), frames->filter, stop);
    if (!grouped)
        return false;
    evaluation.selected = grouped->selected;
    evaluation.matched = grouped->matched;
    evaluation.overflowed |= grouped->overflowed;
    auto tree = CallTree::build(grouped->shape.nodes(), frames->filter.entries(), std::move(grouped->self),
                                stop, grouped->shape.inlined());
    if (tree)
        evaluation.tree = std::make_shared<const CallTree>(std::move(*tree));
    return tree.has_value();
}

} // namespace hearth
