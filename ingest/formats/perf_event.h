#pragma once

#include "ingest/formats/perf_wire.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hearth::perf {

/// An event that was counted: perf_event_attr, as far as reading its samples takes.
struct Event {
    std::string name;
    std::uint64_t sampleType = 0;
    std::uint64_t readFormat = 0;
    std::uint64_t branchSampleType = 0;
    std::uint64_t userRegisters = 0; ///< a bit each
    std::uint64_t period = 0;        ///< fixed; 0 if samples were taken so many times a second
    bool hasIdsEverywhere = false;   ///< other records than samples end in who and when, too

    bool hasTimes() const;
};

/// @param size of the attr; 0 to take its own word for it
Event readEvent(Bytes &bytes, std::uint64_t size);

struct Branch {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
};

/// What a thread of x86-64 had in its registers, and on its stack from the stack pointer on.
struct CopiedStack {
    std::uint64_t ip = 0;
    std::uint64_t sp = 0;
    std::uint64_t fp = 0;
    std::span<const std::uint8_t> bytes; ///< of the record
};

/// In a chain, numbers as large as these say whose the addresses behind them are.
constexpr std::uint64_t kFirstMark = ~std::uint64_t(0) - 4094;
constexpr std::uint64_t kKernelMark = static_cast<std::uint64_t>(-128);
constexpr std::uint64_t kUserMark = static_cast<std::uint64_t>(-512);
constexpr std::uint64_t kGuestKernelMark = static_cast<std::uint64_t>(-2176);

struct Sample {
    std::uint64_t ip = 0;
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
    std::uint64_t timeNs = 0;
    std::optional<std::uint32_t> cpu;
    std::uint64_t period = 0;
    std::vector<std::uint64_t> chain; ///< the leaf first, with marks of what follows: kernel, user
    std::vector<Branch> branches;     ///< if they are a call stack
    std::optional<CopiedStack> copy;  ///< if it can be unwound
    bool hasForeignCopy = false;      ///< of a machine whose stacks Hearth cannot unwind
};

/// @return false if it is cut off
bool readSample(const Event &event, Bytes bytes, Sample &sample);

/// By which events are told apart. @return nothing if samples have none
std::optional<std::uint64_t> idOfSample(const Event &event, Bytes bytes);

/// When a record was made that is no sample. @return 0 if it does not say
std::uint64_t timeOfRecord(const Event &event, std::span<const std::uint8_t> body, bool isSwapped);
std::uint64_t timeOfSample(const Event &event, Bytes bytes);

} // namespace hearth::perf
