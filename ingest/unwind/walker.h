#pragma once

#include "ingest/unwind/rule.h"
#include "ingest/unwind/stop.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace hearth {

/// A piece of a thread's stack, from the stack pointer on.
struct StackCopy {
    std::uint64_t address = 0;
    std::span<const std::uint8_t> bytes;
};

/// Places in a process from the leaf on: where the leaf was, and of its callers the call.
struct Walk {
    std::vector<std::uint64_t> places;
    UnwindStop stop = kStopOutermost;
};

/// The rule at an address of the process.
using RuleLookup = std::function<UnwindRule(std::uint64_t address)>;

/// Walks a stack that was copied, by the same rules and steps as the BPF program walks one in place.
Walk walkStack(UnwindRegisters registers, const StackCopy &stack, const RuleLookup &ruleAt);

} // namespace hearth
