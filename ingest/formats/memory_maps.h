#pragma once

#include "ingest/formats/late_stacks.h"
#include "ingest/formats/profile_builder.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hearth {

/// What a process had mapped, in the form of /proc/self/maps, which profiles of addresses have at their end.
class MemoryMaps {
public:
    explicit MemoryMaps(ProfileBuilder &builder) : m_builder(builder) {}

    /// @return false if the line is no mapping
    bool addLine(std::string_view line);

    /// A frame without a name at an address in memory.
    FrameId frame(std::uint64_t address);

private:
    struct Range {
        std::uint64_t end = 0;
        std::uint64_t start = 0;
        std::uint64_t offset = 0;
        MappingId mapping;
    };

    ProfileBuilder &m_builder;
    std::map<std::uint64_t, Range> m_ranges; ///< by start
};

} // namespace hearth
