#pragma once

#include "model/store/snapshot.h"
#include "model/views/link_estimate.h"
#include "model/views/series_choice.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hearth {

/// Nanoseconds since 1970; both ends belong to it.
struct TimeRange {
    std::int64_t begin = std::numeric_limits<std::int64_t>::min();
    std::int64_t end = std::numeric_limits<std::int64_t>::max();

    bool contains(std::int64_t time) const { return begin <= time && time <= end; }
    bool operator==(const TimeRange &) const = default;
};

/// Which samples of a data set are looked at, apart from what their stacks hold.
struct SampleSelection {
    SeriesChoice series;
    std::optional<TimeRange> time;                ///< samples without a time are outside of any range
    std::vector<std::uint8_t> contexts;           ///< by context: whether it is in; empty: all are
    std::vector<std::uint8_t> links;              ///< by link: whether it is in; empty: all are
    std::shared_ptr<const LinkEstimate> estimate; ///< of the links that samples lack; null: they have none
};

/// One chunk of a series: which of its value columns, and by what its values are multiplied.
struct SeriesChunk {
    const SampleChunk *chunk = nullptr;
    std::size_t column = 0;
    std::int64_t factor = 1;
    bool hasTimes = false;
    bool countsRows = false;
};
std::vector<SeriesChunk> chunksOf(const SampleTable &table, const SeriesChoice &series);

/// Reads the samples of a selection, a run at a time, so that what is unpacked stays in the first cache.
class SampleReader {
public:
    static constexpr std::size_t kRun = 4096;

    explicit SampleReader(const SampleSelection &selection);

    /// Calls `take(reader)` for each run that may have selected samples.
    template <class Take>
    void forEachRun(const SeriesChunk &chunk, Take take)
    {
        if (!overlaps(chunk))
            return;
        for (std::size_t begin = 0; begin < chunk.chunk->rows(); begin += kRun) {
            read(chunk, begin, std::min(kRun, chunk.chunk->rows() - begin));
            take(*this);
        }
    }

    std::span<const std::uint32_t> stacks() const { return {m_stacks.data(), m_rows}; }

    /// 0 for samples that are not selected.
    std::span<const std::int64_t> values() const { return {m_values.data(), m_rows}; }

    /// Unpacked when asked for.
    std::span<const std::uint32_t> contexts();
    /// Those that samples lack are estimated, if the selection says how.
    std::span<const std::uint32_t> links();
    std::span<const std::int64_t> times();

    /// Whether a value did not fit 64 bits after multiplication.
    bool overflowed() const { return m_overflowed; }

private:
    bool overlaps(const SeriesChunk &chunk) const;
    void read(const SeriesChunk &chunk, std::size_t begin, std::size_t rows);
    void select();
    void selectBy(const PackedColumn &column, const std::vector<std::uint8_t> &isIn);
    void selectByLinks();
    void estimateLinks(std::span<std::uint32_t> links);

    const SampleSelection &m_selection;
    std::uint64_t m_firstLink = 0; ///< of those selected, if not all are
    std::uint64_t m_lastLink = 0;
    SeriesChunk m_chunk;
    std::size_t m_begin = 0;
    std::size_t m_rows = 0;
    bool m_overflowed = false;
    std::array<std::uint32_t, kRun> m_stacks;
    std::array<std::uint32_t, kRun> m_ids;
    std::array<std::uint32_t, kRun> m_links;
    std::array<std::int64_t, kRun> m_values;
    std::array<std::int64_t, kRun> m_times;
};

} // namespace hearth
