#include "ingest/formats/chrome_slices.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

namespace hearth {

namespace {

/// How many slices of a track that have not ended are looked at for the one that ends.
constexpr std::size_t kMostOpen = 1000;

/// A trace a track, so that spans find their parents.
Link spanId(std::uint32_t track, std::uint64_t span)
{
    const std::uint64_t trace = std::uint64_t(track) + 1;
    Link link;
    std::memcpy(link.trace.data(), &trace, sizeof trace);
    std::memcpy(link.span.data(), &span, sizeof span);
    return link;
}

/// Makes samples of what the slices of a thread leave to themselves: of the time in which no slice in them
/// runs.
class SelfTime {
public:
    SelfTime(ProfileBuilder &builder, std::vector<FrameId> &frames, ContextId context)
        : m_builder(builder), m_frames(frames), m_context(context),
          m_block(builder.block({.series = {{"slices", "nanoseconds"}}, .hasTimes = true}))
    {}

    /// REQUIRES: slices come in the order of their starts, those that enclose others first
    void begin(const TraceSlice &slice, LinkId span)
    {
        endUntil(slice.startNs);
        if (!m_open.empty())
            spendUntil(slice.startNs);
        const StackId caller = m_open.empty() ? StackId() : m_open.back().stack;
        m_open.push_back({.endNs = slice.endNs,
                          .spentNs = slice.startNs,
                          .stack = m_builder.child(caller, frameOf(slice.name)),
                          .span = span});
    }
    void finish() { endUntil(std::numeric_limits<std::int64_t>::max()); }

private:
    struct Open {
        std::int64_t endNs = 0;
        std::int64_t spentNs = 0; ///< what came before is accounted for
        StackId stack;
        LinkId span;
    };

    FrameId frameOf(StringId name)
    {
        if (name.value >= m_frames.size())
            m_frames.resize(name.value + 1, FrameId::none());
        FrameId &known = m_frames[name.value];
        if (known.isNone())
            known = m_builder.frame({.name = m_builder.batch().strings[name.value]});
        return known;
    }

    void spendUntil(std::int64_t timeNs)
    {
        Open &inner = m_open.back();
        const std::int64_t value = timeNs - inner.spentNs;
        if (value > 0)
            m_builder.add(m_block, inner.stack, m_context, inner.spentNs, {&value, 1}, inner.span);
        inner.spentNs = std::max(inner.spentNs, timeNs);
    }

    void endUntil(std::int64_t timeNs)
    {
        while (!m_open.empty() && m_open.back().endNs <= timeNs) {
            const std::int64_t endNs = m_open.back().endNs;
            spendUntil(endNs);
            m_open.pop_back();
            if (!m_open.empty())
                m_open.back().spentNs = std::max(m_open.back().spentNs, endNs);
        }
    }

    ProfileBuilder &m_builder;
    std::vector<FrameId> &m_frames; ///< by the name of a slice
    ContextId m_context;
    std::size_t m_block;
    std::vector<Open> m_open;
};

} // namespace

std::uint32_t TraceSlices::thread(std::int64_t process, std::int64_t thread)
{
    const auto [known, isNew] =
        m_trackOfThread.try_emplace({process, thread}, static_cast<std::uint32_t>(m_tracks.size()));
    if (isNew)
        m_tracks.push_back(
            {.process = process, .thread = thread, .isAsync = false, .slices = {}, .open = {}});
    return known->second;
}

std::uint32_t TraceSlices::asyncTrack(std::int64_t process, std::string_view id)
{
    std::string key = std::to_string(process) + ' ';
    key += id;
    std::uint32_t &known =
        m_trackOfId[digestOf({reinterpret_cast<const std::uint8_t *>(key.data()), key.size()})];
    if (known == DigestMap::kNew) {
        known = static_cast<std::uint32_t>(m_tracks.size());
        m_tracks.push_back({.process = process, .thread = 0, .isAsync = true, .slices = {}, .open = {}});
    }
    return known;
}

void TraceSlices::add(std::uint32_t track, const TraceSlice &slice)
{
    m_latestNs = std::max(m_latestNs, slice.endNs);
    m_tracks[track].slices.push_back(slice);
}

void TraceSlices::begin(std::uint32_t track, const TraceSlice &slice)
{
    m_latestNs = std::max(m_latestNs, slice.startNs);
    std::vector<TraceSlice> &open = m_tracks[track].open;
    open.push_back(slice);
    open.back().depth = static_cast<std::uint32_t>(open.size());
}

void TraceSlices::end(std::uint32_t track, std::int64_t timeNs, StringId name, AttributeSetId attributes)
{
    std::vector<TraceSlice> &open = m_tracks[track].open;
    const bool isNamed = name != StringId();
    const auto last = open.rbegin() + static_cast<std::ptrdiff_t>(std::min(open.size(), kMostOpen));
    const auto found = std::find_if(open.rbegin(), last,
                                    [&](const TraceSlice &slice) { return !isNamed || slice.name == name; });
    if (found == last) {
        m_builder->losses().add(Loss::MalformedRecords, "a slice ends that has not begun");
        return;
    }
    TraceSlice slice = *found;
    open.erase(std::next(found).base());
    slice.endNs = std::max(timeNs, slice.startNs);
    if (slice.attributes == AttributeSetId())
        slice.attributes = attributes;
    add(track, slice);
}

std::vector<Attribute> TraceSlices::processAttributes(std::int64_t process)
{
    std::vector<Attribute> attributes{m_builder->attribute("process.pid", process)};
    if (const auto name = m_processNames.find(process); name != m_processNames.end())
        attributes.push_back(m_builder->attribute("process.executable.name", name->second));
    return attributes;
}

std::vector<Attribute> TraceSlices::threadAttributes(std::int64_t process, std::int64_t thread)
{
    std::vector<Attribute> attributes{m_builder->attribute("thread.id", thread)};
    if (const auto name = m_threadNames.find({process, thread}); name != m_threadNames.end())
        attributes.push_back(m_builder->attribute("thread.name", name->second));
    return attributes;
}

ContextId TraceSlices::threadContext(std::int64_t process, std::int64_t thread)
{
    return m_builder->context(m_builder->attributes(processAttributes(process)),
                              m_builder->attributes(threadAttributes(process, thread)));
}

AttributeSetId TraceSlices::ownerOf(std::int64_t process, std::int64_t thread)
{
    std::vector<Attribute> attributes = processAttributes(process);
    if (thread != 0)
        std::ranges::copy(threadAttributes(process, thread), std::back_inserter(attributes));
    return m_builder->attributes(attributes);
}

void TraceSlices::closeOpen(Track &track)
{
    for (TraceSlice &slice : track.open) {
        m_builder->losses().add(Loss::TruncatedInput,
                                "a slice has no end; it is taken to end with the trace");
        slice.endNs = std::max(m_latestNs, slice.startNs);
        track.slices.push_back(slice);
    }
    track.open.clear();
}

void TraceSlices::finish()
{
    for (std::uint32_t track = 0; track < m_tracks.size(); ++track) {
        closeOpen(m_tracks[track]);
        addSpans(track, m_tracks[track]);
        m_tracks[track].slices = {};
    }
}

/// Attributes were numbered as slices came, so that going by number is kinder to the processor's cache than
/// looking up what is nearly always new.
ContextId TraceSlices::spanContext(std::uint32_t track, AttributeSetId owner, AttributeSetId own)
{
    if (own.value >= m_contextOf.size())
        m_contextOf.resize(m_builder->batch().attributeSets.size());
    TrackContext &known = m_contextOf[own.value];
    if (known.track != track) {
        std::vector<Context> &contexts = m_builder->batch().contexts;
        known = {track, ContextId(contexts.size())};
        contexts.push_back({owner, AttributeSetId(), own});
    }
    return known.context;
}

void TraceSlices::addSpans(std::uint32_t number, Track &track)
{
    if (track.slices.empty())
        return;
    std::ranges::stable_sort(track.slices, [](const TraceSlice &a, const TraceSlice &b) {
        if (a.startNs != b.startNs)
            return a.startNs < b.startNs;
        return a.endNs != b.endNs ? a.endNs > b.endNs : a.depth < b.depth;
    });
    std::optional<SelfTime> selfTime;
    if (!track.isAsync)
        selfTime.emplace(*m_builder, m_frames, threadContext(track.process, track.thread));
    const AttributeSetId owner = ownerOf(track.process, track.thread);
    std::vector<std::pair<std::int64_t, LinkId>> open; // ends of slices that have not ended
    for (const TraceSlice &slice : track.slices) {
        while (!open.empty() && open.back().first <= slice.startNs)
            open.pop_back();
        Span span;
        span.startNs = static_cast<std::uint64_t>(slice.startNs);
        span.endNs = static_cast<std::uint64_t>(slice.endNs);
        span.name = slice.name;
        span.id = m_builder->addLink(spanId(number, ++m_spans));
        span.parent = open.empty() ? LinkId() : open.back().second;
        span.context = spanContext(number, owner, slice.attributes);
        m_builder->batch().spans.rows.push_back(span);
        open.emplace_back(slice.endNs, span.id);
        if (selfTime)
            selfTime->begin(slice, span.id);
    }
    if (selfTime)
        selfTime->finish();
}

} // namespace hearth
