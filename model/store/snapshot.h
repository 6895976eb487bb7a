#pragma once

#include "model/store/batch.h"
#include "model/store/column.h"
#include "model/store/records.h"
#include "model/store/rows.h"
#include "model/store/sample_chunk.h"
#include "model/store/string_table.h"
#include "model/store/symbols.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace hearth {

/// Where the lines of a frame are when its symbols arrived after it did.
struct SymbolRange {
    std::uint32_t begin = 0;
    std::uint32_t count = 0; ///< 0: no symbols beyond what the frame came with
};

/// The samples of series that were measured together, as published.
struct SampleTable {
    std::vector<SeriesId> series; ///< of each value column
    StringId periodType;
    StringId periodUnit;
    std::int64_t period = 0;
    bool hasTimes = false;
    std::vector<std::shared_ptr<const SampleChunk>> chunks;
    std::size_t sealed = 0; ///< so many chunks will be the same in later snapshots, apart from evicted ones
    std::uint64_t rows = 0;
};

struct MemoryUse {
    std::size_t samples = 0;
    std::size_t records = 0; ///< spans, log records and metric points
    std::size_t dictionary = 0;
    std::size_t total() const { return samples + records + dictionary; }
};

/// A data set as it was at one moment. Immutable: any thread may read it without a lock for as long as it
/// likes.
struct Snapshot {
    std::uint64_t store = 0;         ///< which store it is of: ids of different ones have nothing in common
    std::uint64_t version = 0;       ///< grows with every publication
    std::uint64_t symbolVersion = 0; ///< grows when names of frames change

    StringsView strings;
    ColumnView<Function> functions;
    ColumnView<Line> lines;
    ColumnView<Binary> binaries;
    ColumnView<Mapping> mappings;
    ColumnView<Frame> frames;
    ColumnView<StackNode> stacks;
    ColumnView<FrameNote> frameNotes;
    ColumnView<MappingNote> mappingNotes;
    ColumnView<Attribute> attributes;
    ColumnView<AttributeId> attributeLists;
    ColumnView<AttributeSet> attributeSets;
    ColumnView<Context> contexts;
    ColumnView<Link> links;
    ColumnView<Series> series;
    std::shared_ptr<const std::vector<SymbolRange>>
        symbols; ///< by frame; may be shorter than the frame table
    std::shared_ptr<const std::vector<BinarySymbols>>
        binarySymbols; ///< by binary; may be shorter, and those that nobody looked at have no id

    ColumnView<Metric> metrics;

    std::vector<SampleTable> tables;
    Records<SpanChunk> spans;
    Records<LogChunk> logs;
    Records<MetricChunk> points;
    std::vector<Origin> origins;
    Losses losses;
    MemoryUse memory;

    std::string_view text(StringId id) const { return strings[id]; }
    std::uint64_t sampleCount() const;

    /// The chain of lines of a frame, innermost first: resolved symbols where there are any, else what was
    /// sent.
    std::span<const Line> linesOf(FrameId frame) const
    {
        if (symbols && frame.value < symbols->size() && (*symbols)[frame.value].count > 0)
            return lines.span((*symbols)[frame.value].begin, (*symbols)[frame.value].count);
        return lines.span(frames[frame.value].lineBegin, frames[frame.value].lineCount);
    }
    /// Null if nobody has looked for its names yet.
    const BinarySymbols *symbolsOf(BinaryId binary) const
    {
        const bool isKnown = binarySymbols && binary.value < binarySymbols->size() &&
                             !(*binarySymbols)[binary.value].binary.isNone();
        return isKnown ? &(*binarySymbols)[binary.value] : nullptr;
    }
    std::optional<BinaryId> binaryOf(FrameId frame) const
    {
        const MappingId mapping = frames[frame.value].mapping;
        return mapping.isNone() ? std::nullopt : std::optional(mappings[mapping.value].binary);
    }
    std::span<const AttributeId> attributesOf(AttributeSetId set) const
    {
        return attributeLists.span(attributeSets[set.value].begin, attributeSets[set.value].count);
    }
};

/// All origins as one, as when pprof merges profiles: the first that says something counts, the time is the
/// earliest, durations add up.
Origin mergedOrigin(const Snapshot &snapshot);

} // namespace hearth
