#pragma once

#include "model/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hearth::agent {

/// Code that a process has in its memory.
struct MappedCode {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0; ///< in the file
    std::uint64_t device = 0; ///< of the file, as makedev() has it
    std::uint64_t inode = 0;
    std::string path; ///< as the process sees it; "[vdso]", or empty if there is no file
};

/// What happened to a process.
struct ProcessEvent {
    enum class Kind : std::uint8_t { Mapped, Executed, Forked, Ended };

    Kind kind = Kind::Mapped;
    std::uint64_t timeNs = 0; ///< CLOCK_MONOTONIC
    std::uint32_t process = 0;
    std::uint32_t parent = 0; ///< of a process that was forked
    MappedCode code;          ///< what was mapped
};

/// Tells of every process of the machine what code it maps, when it executes another program, forks and ends:
/// from the kernel's perf events, so nothing is missed however short a process lives.
class ProcessEvents {
public:
    static Result<std::unique_ptr<ProcessEvents>> open();

    ProcessEvents(const ProcessEvents &) = delete;
    ProcessEvents &operator=(const ProcessEvents &) = delete;
    virtual ~ProcessEvents() = default;

    /// Appends what has happened since the last call, in no order.
    virtual void read(std::vector<ProcessEvent> &events) = 0;

    /// Becomes readable when events should be read soon, lest there be no room.
    virtual int descriptor() const = 0;

    /// How many events the kernel had no room for.
    virtual std::uint64_t lost() const = 0;

protected:
    ProcessEvents() = default;
};

/// One record of the kernel's ring. @return whether it is of a kind that is of interest
bool parseProcessEvent(const std::vector<std::uint8_t> &record, ProcessEvent &event);

} // namespace hearth::agent
