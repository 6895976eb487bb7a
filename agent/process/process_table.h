#pragma once

#include "agent/process/process_events.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace hearth::agent {

/// What is known of a process of the machine.
struct Process {
    std::uint32_t number = 0;
    std::string program;   ///< path of what it executes
    std::string container; ///< its id, if it runs in one
    std::string resource;  ///< what it says of itself: an OTLP Resource; empty if nothing
    std::vector<std::shared_ptr<const MappedCode>> code; ///< ordered by address
    std::uint64_t version = 0;                           ///< grows whenever its code changes
    bool isRead = false; ///< what it had mapped before it was watched is known too

    /// @return null if no code is known to be there
    std::shared_ptr<const MappedCode> codeAt(std::uint64_t address) const;
};

/// The processes of the machine, as events and /proc tell of them. Those from before are read when they are
/// first asked for.
class ProcessTable {
public:
    void apply(const ProcessEvent &event);

    /// The process, read from /proc if nothing is known of it. It may be known by nothing but its number.
    Process &find(std::uint32_t number);

    /// Events were lost: what is known may be wrong, and is read anew when it is asked for.
    void distrust();

    /// Forgets processes that had ended before the last call. @return their numbers
    std::vector<std::uint32_t> forgetEnded();

private:
    static void map(Process &process, std::shared_ptr<const MappedCode> code);
    static void read(Process &process);
    void fork(const ProcessEvent &event);
    void lives(std::uint32_t number);

    std::unordered_map<std::uint32_t, Process> m_processes;
    std::vector<std::uint32_t> m_ended;
    std::vector<std::uint32_t> m_endedBefore;
};

} // namespace hearth::agent
