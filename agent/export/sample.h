#pragma once

#include "agent/bpf/record.h"
#include "agent/process/binary.h"
#include "agent/process/process_table.h"
#include "ingest/symbols/jit_name.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::agent {

/// A place that user code was at: in a binary, or, without one, in memory that no file was mapped to.
struct UserFrame {
    PlacedBinary placed;
    std::uint64_t address = 0;   ///< in the file; in memory if there is none
    std::optional<JitName> name; ///< if the process told it
};

/// A sample, taken apart: leaf first, and the kernel's frames before the user's.
struct Sample {
    RecordHead head{};
    const Process *process = nullptr;
    std::vector<std::uint64_t> kernelFrames;
    std::vector<UserFrame> userFrames;
    UnwindStop stop = kStopOutermost;
};

} // namespace hearth::agent
