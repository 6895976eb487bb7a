#include "ingest/formats/jfr_chunk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace hearth::jfr {

namespace {

constexpr std::uint64_t kMetadataEvent = 0;
constexpr std::uint64_t kCheckpointEvent = 1;

/// Types of events that are marks in time, and the prefix of their names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kSpans{
    {{"jdk.GarbageCollection", "GC "}, {"jdk.GCPhasePause", "GC pause "}}};

/// Types of events whose numbers are metrics.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kMetrics{
    {{"jdk.CPULoad", "cpu."}, {"jdk.GCHeapSummary", "heap."}, {"jdk.ThreadCPULoad", "thread."}}};

bool isNumberOfMetric(std::string_view field)
{
    constexpr std::array<std::string_view, 6> kFields{"jvmUser",  "jvmSystem", "machineTotal",
                                                      "heapUsed", "user",      "system"};
    return std::ranges::find(kFields, field) != kFields.end();
}

} // namespace

/// Types of events that are samples.
struct Chunk::SampleKind {
    std::string_view type;
    std::string_view series;
    std::string_view unit;
    std::string_view value = {}; ///< the field that has it; none: each is one

    static const SampleKind *find(std::string_view type);
};

const Chunk::SampleKind *Chunk::SampleKind::find(std::string_view type)
{
    static constexpr std::array kKinds{
        SampleKind{"jdk.ExecutionSample", "samples", "count"},
        SampleKind{"jdk.NativeMethodSample", "native samples", "count"},
        SampleKind{"profiler.WallClockSample", "wall samples", "count", "samples"},
        SampleKind{"jdk.ObjectAllocationSample", "allocated", "bytes", "weight"},
        SampleKind{"jdk.ObjectAllocationInNewTLAB", "allocated in TLABs", "bytes", "tlabSize"},
        SampleKind{"jdk.ObjectAllocationOutsideTLAB", "allocated outside TLABs", "bytes", "allocationSize"},
        SampleKind{"jdk.JavaMonitorEnter", "monitor enter", "nanoseconds", "duration"},
        SampleKind{"jdk.JavaMonitorWait", "monitor wait", "nanoseconds", "duration"},
        SampleKind{"jdk.ThreadPark", "park", "nanoseconds", "duration"},
        SampleKind{"jdk.ThreadSleep", "sleep", "nanoseconds", "duration"},
        SampleKind{"profiler.Malloc", "malloc", "bytes", "size"},
    };
    const auto found = std::ranges::find(kKinds, type, &SampleKind::type);
    return found == kKinds.end() ? nullptr : &*found;
}

struct Chunk::Event {
    std::int64_t startTicks = 0;
    std::int64_t durationTicks = 0;
    std::uint64_t thread = 0;
    std::uint64_t stack = 0;
    std::uint64_t objectClass = 0;
    std::uint64_t nameReference = 0;
    std::string name;
    std::vector<std::pair<std::string, Value>> numbers; ///< other than these
};

std::optional<ChunkHead> ChunkHead::read(std::span<const std::uint8_t> bytes)
{
    Bytes head(bytes.first(std::min(bytes.size(), kSize)));
    if (head.text(4) != std::string_view("FLR\0", 4))
        return std::nullopt;
    const std::uint64_t major = head.bigEndian(2);
    head.bigEndian(2);
    ChunkHead chunk;
    chunk.size = head.bigEndian(8);
    chunk.checkpoint = head.bigEndian(8);
    chunk.metadata = head.bigEndian(8);
    chunk.startNs = static_cast<std::int64_t>(head.bigEndian(8));
    head.bigEndian(8); // for how long
    chunk.startTicks = static_cast<std::int64_t>(head.bigEndian(8));
    chunk.ticksPerSecond = static_cast<std::int64_t>(head.bigEndian(8));
    chunk.isPacked = (head.bigEndian(4) & 1) != 0;
    if (!head.isOk() || major == 0)
        return std::nullopt;
    return chunk;
}

std::int64_t ChunkHead::durationNs(std::int64_t ticks) const
{
    if (ticksPerSecond <= 0)
        return 0;
    const double ns = static_cast<double>(ticks) * 1e9 / static_cast<double>(ticksPerSecond);
    return static_cast<std::int64_t>(std::clamp(ns, -9e18, 9e18));
}

std::int64_t ChunkHead::timeNs(std::int64_t ticks) const
{
    std::int64_t since = 0;
    std::int64_t time = 0;
    if (__builtin_sub_overflow(ticks, startTicks, &since) ||
        __builtin_add_overflow(startNs, durationNs(since), &time))
        return 0;
    return std::max<std::int64_t>(time, 0);
}

/// Events lie one behind the other, each behind its size and its type.
template <class Take>
void Chunk::forEachEvent(std::span<const std::uint8_t> bytes, Take take)
{
    Bytes all(bytes);
    all.seek(ChunkHead::kSize);
    while (all.left() > 0) {
        const std::size_t begin = all.position();
        const std::uint64_t size = all.number();
        const std::size_t head = all.position() - begin;
        if (!all.isOk() || size <= head || size > bytes.size() - begin) {
            m_builder.losses().add(size > bytes.size() - begin ? Loss::TruncatedInput : Loss::DamagedInput,
                                   "no event at byte " + std::to_string(begin) + " of a chunk");
            return;
        }
        Bytes event(bytes.subspan(begin + head, size - head));
        const std::uint64_t type = event.number();
        take(type, event);
        all.seek(begin + size);
    }
}

bool Chunk::read(std::span<const std::uint8_t> bytes)
{
    if (!m_head.isPacked || m_head.metadata >= bytes.size())
        return false;
    Bytes metadata(bytes);
    metadata.seek(m_head.metadata);
    metadata.number(); // its size
    if (metadata.number() != kMetadataEvent || !m_metadata.read(metadata))
        return false;
    m_pools.emplace(m_builder, m_metadata);
    forEachEvent(bytes, [this](std::uint64_t type, Bytes event) {
        if (type == kCheckpointEvent && !m_pools->read(event))
            m_builder.losses().add(Loss::MalformedRecords, "a checkpoint cannot be read");
    });
    const Losses losses = m_builder.losses(); // what is wrong with sizes has been said
    forEachEvent(bytes, [this](std::uint64_t type, Bytes event) { takeEvent(type, event); });
    m_builder.losses() = losses;
    m_builder.losses().add(Loss::MalformedRecords, m_damaged);
    if (m_otherEvents > 0)
        m_builder.losses().add(Loss::UnknownFields, std::to_string(m_otherEvents) +
                                                        " events are of kinds that Hearth does not show");
    return true;
}

Chunk::Event Chunk::readEvent(const Type &type, Bytes &bytes)
{
    Event event;
    m_metadata.readValue(bytes, type, [&](const Value &value) {
        if (value.field == "startTime")
            event.startTicks = value.integer();
        else if (value.field == "duration")
            event.durationTicks = value.integer();
        else if (value.field == "sampledThread" || value.field == "eventThread")
            event.thread = value.number;
        else if (value.field == "stackTrace")
            event.stack = value.number;
        else if (value.field == "objectClass")
            event.objectClass = value.number;
        else if (value.field == "name") {
            event.nameReference = value.number;
            event.name = m_pools->string(value.string);
        } else {
            event.numbers.emplace_back(value.field, value);
        }
    });
    return event;
}

void Chunk::takeEvent(std::uint64_t number, Bytes bytes)
{
    if (number == kMetadataEvent || number == kCheckpointEvent)
        return;
    const Type *type = m_metadata.find(number);
    const std::string_view name = type == nullptr ? std::string_view() : std::string_view(type->name);
    const SampleKind *sample = SampleKind::find(name);
    const auto span = std::ranges::find(kSpans, name, [](const auto &kind) { return kind.first; });
    const auto metric = std::ranges::find(kMetrics, name, [](const auto &kind) { return kind.first; });
    if (type == nullptr || (sample == nullptr && span == kSpans.end() && metric == kMetrics.end())) {
        ++m_otherEvents;
        return;
    }
    const Event event = readEvent(*type, bytes);
    if (!bytes.isOk())
        ++m_damaged;
    else if (sample != nullptr)
        takeSample(*sample, event);
    else if (span != kSpans.end())
        takeSpan(*type, event);
    else
        takeNumbers(event, metric->second);
}

void Chunk::takeSample(const SampleKind &kind, const Event &event)
{
    std::int64_t value = 1;
    if (kind.value == "duration") {
        value = m_head.durationNs(event.durationTicks);
    } else if (!kind.value.empty()) {
        const auto found =
            std::ranges::find(event.numbers, kind.value, [](const auto &field) { return field.first; });
        value = found == event.numbers.end() ? 0 : found->second.integer();
    }
    const std::size_t block =
        m_builder.block({.series = {{std::string(kind.series), std::string(kind.unit)}}, .hasTimes = true});
    m_builder.add(block, m_pools->stack(event.stack), m_pools->context(event.thread, event.objectClass),
                  m_head.timeNs(event.startTicks), value);
}

void Chunk::takeSpan(const Type &type, const Event &event)
{
    const auto kind = std::ranges::find(kSpans, type.name, [](const auto &one) { return one.first; });
    const std::string name =
        event.name.empty() ? m_pools->description(event.nameReference, "jdk.types.GCName") : event.name;
    Link id;
    id.trace[0] = 1;
    const std::uint64_t number = static_cast<std::uint64_t>(m_head.startNs) + ++m_spans;
    std::memcpy(id.span.data(), &number, sizeof number);
    Span span;
    span.startNs = static_cast<std::uint64_t>(m_head.timeNs(event.startTicks));
    const std::int64_t duration = std::max<std::int64_t>(m_head.durationNs(event.durationTicks), 0);
    span.endNs = span.startNs + static_cast<std::uint64_t>(duration);
    span.name = m_builder.text(std::string(kind->second) + name);
    span.id = m_builder.addLink(id);
    span.context = m_pools->context(event.thread, 0);
    m_builder.batch().spans.rows.push_back(span);
}

void Chunk::takeNumbers(const Event &event, std::string_view prefix)
{
    Batch &batch = m_builder.batch();
    for (const auto &[field, value] : event.numbers) {
        if (!isNumberOfMetric(field))
            continue;
        const std::string name = std::string(prefix) + field;
        const auto [known, isNew] = m_metrics.try_emplace(name, batch.metrics.size());
        if (isNew) {
            Metric metric;
            metric.name = m_builder.text(name);
            metric.unit = m_builder.text(prefix == "heap." ? "By" : "1");
            batch.metrics.push_back(metric);
        }
        MetricPoint point;
        point.timeNs = static_cast<std::uint64_t>(m_head.timeNs(event.startTicks));
        point.value = prefix == "heap." ? Number::of(value.integer()) : Number::of(value.real);
        point.metric = known->second;
        point.context = m_pools->context(event.thread, 0);
        batch.points.rows.push_back(point);
    }
}

} // namespace hearth::jfr
