#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// pprof's profile.proto: https://github.com/google/pprof/blob/main/proto/profile.proto
// A file is one Profile message, usually in gzip. Strings are indices into the string table, whose first
// entry is "".

namespace hearth::pprof {

enum class ProfileField : std::uint32_t {
    SampleType = 1,
    Sample = 2,
    Mapping = 3,
    Location = 4,
    Function = 5,
    StringTable = 6,
    DropFrames = 7,
    KeepFrames = 8,
    TimeNanos = 9,
    DurationNanos = 10,
    PeriodType = 11,
    Period = 12,
    Comment = 13,
    DefaultSampleType = 14,
    DocUrl = 15,
};
enum class ValueTypeField : std::uint32_t { Type = 1, Unit = 2 };
enum class SampleField : std::uint32_t { LocationId = 1, Value = 2, Label = 3 };
enum class LabelField : std::uint32_t { Key = 1, Text = 2, Number = 3, NumberUnit = 4 };
enum class MappingField : std::uint32_t {
    Id = 1,
    MemoryStart = 2,
    MemoryLimit = 3,
    FileOffset = 4,
    Filename = 5,
    BuildId = 6,
    HasFunctions = 7,
    HasFilenames = 8,
    HasLineNumbers = 9,
    HasInlineFrames = 10,
};
enum class LocationField : std::uint32_t { Id = 1, MappingId = 2, Address = 3, Line = 4, IsFolded = 5 };
enum class LineField : std::uint32_t { FunctionId = 1, Line = 2, Column = 3 };
enum class FunctionField : std::uint32_t { Id = 1, Name = 2, SystemName = 3, Filename = 4, StartLine = 5 };

} // namespace hearth::pprof

namespace hearth {

/// Whether the first bytes of an input can be those of a pprof profile and of none of its neighbours in wire
/// format.
bool looksLikePprof(std::span<const std::uint8_t> head, bool isWhole);

} // namespace hearth
