#pragma once

#include "ingest/formats/jfr_pools.h"

#include <optional>
#include <span>

namespace hearth::jfr {

/// What a chunk begins with, the highest byte first.
struct ChunkHead {
    static constexpr std::size_t kSize = 68;

    std::uint64_t size = 0; ///< of all of it
    std::uint64_t checkpoint = 0;
    std::uint64_t metadata = 0; ///< where its types are
    std::int64_t startNs = 0;
    std::int64_t startTicks = 0;
    std::int64_t ticksPerSecond = 0;
    bool isPacked = false; ///< its numbers

    /// @return nothing if it is none
    static std::optional<ChunkHead> read(std::span<const std::uint8_t> bytes);

    std::int64_t timeNs(std::int64_t ticks) const;
    std::int64_t durationNs(std::int64_t ticks) const;
};

/// Makes samples, spans and metric points of the events of one chunk.
class Chunk {
public:
    Chunk(ProfileBuilder &builder, const ChunkHead &head) : m_builder(builder), m_head(head) {}

    /// @param bytes all of the chunk, or as much as there is. @return false if it cannot be understood
    bool read(std::span<const std::uint8_t> bytes);

private:
    /// An event as far as it is of interest.
    struct Event;
    struct SampleKind;

    template <class Take>
    void forEachEvent(std::span<const std::uint8_t> bytes, Take take);
    void takeEvent(std::uint64_t type, Bytes bytes);
    void takeSample(const SampleKind &kind, const Event &event);
    void takeSpan(const Type &type, const Event &event);
    void takeNumbers(const Event &event, std::string_view prefix);
    Event readEvent(const Type &type, Bytes &bytes);

    ProfileBuilder &m_builder;
    ChunkHead m_head;
    Metadata m_metadata;
    std::optional<Pools> m_pools;
    std::unordered_map<std::string, MetricId> m_metrics;
    std::uint64_t m_otherEvents = 0;
    std::uint64_t m_damaged = 0;
    std::uint64_t m_spans = 0;
};

} // namespace hearth::jfr
