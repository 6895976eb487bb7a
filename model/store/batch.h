#pragma once

#include "model/store/losses.h"
#include "model/store/records.h"
#include "model/store/rows.h"
#include "model/store/sample_chunk.h"
#include "model/store/string_table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// What is known of a profile as a whole.
struct Origin {
    std::string name;       ///< path of the file or name of the sender
    std::string format;     ///< "pprof", "folded" …
    std::string generation; ///< version of the format, where it has any
    std::int64_t timeNs = 0;
    std::int64_t durationNs = 0;
    std::vector<std::string> comments;
    std::string dropFrames; ///< pprof's regular expressions of frames to cut, and to keep nevertheless
    std::string keepFrames;
    std::string defaultSeries; ///< type of the series to open with; empty if the profile does not say
    std::string docUrl;
    std::vector<std::string> findings; ///< what its writer did against the standard, if asked for
};

/// Samples of one or several series that were measured together: one value column per series.
struct SampleBlock {
    std::vector<Series> series;
    StringId periodType;
    StringId periodUnit;
    std::int64_t period = 0;
    bool hasTimes = false;
    std::vector<SampleChunk> chunks;
};

/// What a decoder makes of its input: plain rows whose ids count within the batch. Nothing needs to be
/// distinct, but parents precede children, and every id is in range. Row 0 of strings, stacks, attribute
/// sets, contexts and links is the empty one.
struct Batch {
    Batch();

    Origin origin;
    Losses losses;

    TextArena arena;
    std::vector<std::string_view> strings; ///< in the arena, or in memory that never goes
    std::vector<Function> functions;
    std::vector<Line> lines;
    std::vector<Binary> binaries;
    std::vector<Mapping> mappings;
    std::vector<Frame> frames;
    std::vector<StackNode> stacks;
    std::vector<FrameNote> frameNotes;
    std::vector<MappingNote> mappingNotes;
    std::vector<Attribute> attributes;
    std::vector<AttributeId> attributeLists;
    std::vector<AttributeSet> attributeSets;
    std::vector<Context> contexts;
    std::vector<Link> links;
    std::vector<SampleBlock> blocks;
    SpanChunk spans;
    LogChunk logs;
    std::vector<Metric> metrics;
    MetricChunk points;

    /// With texts of its own.
    Batch copy() const;

    /// Appends a string and keeps a copy of its bytes.
    StringId addString(std::string_view text);
};

} // namespace hearth
