#pragma once

#include "ingest/unwind/rule_book.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

/// What many functions share in call frame information: DWARF's common information entry.
struct CfiCommon {
    std::uint64_t codeAlignment = 1;
    std::int64_t dataAlignment = 1;
    std::uint64_t returnRegister = 0;
    std::uint8_t pointerEncoding = 0;
    bool hasAugmentationData = false;
    bool isSignalFrame = false;
    std::span<const std::uint8_t> instructions;
};

/// A rule that holds from an address on.
struct CfiRow {
    std::uint64_t address = 0;
    UnwindRule rule{};
};

/// Runs a function's call frame instructions and appends a row wherever the rule changes. Registers but the
/// stack and frame pointers are not followed; where the caller depends on another, the rule is the frame
/// pointer's.
/// @return false if the instructions make no sense: then what was appended is to be forgotten
bool runCfiProgram(const CfiCommon &common, std::span<const std::uint8_t> instructions, std::uint64_t begin,
                   std::uint64_t end, std::vector<CfiRow> &rows);

} // namespace hearth
