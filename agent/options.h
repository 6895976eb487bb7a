#pragma once

#include "agent/bpf/sampler.h"
#include "agent/export/profile_builder.h"
#include "ingest/server/address.h"
#include "model/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hearth::agent {

/// What the command line asks for.
struct Options {
    std::vector<std::uint32_t> processes; ///< with their descendants; all of the machine if there are none
    std::string cgroup;                   ///< path of its directory
    std::vector<std::string> command;     ///< to be started and followed
    std::uint32_t frequency = 97;
    ClockEvent clock = ClockEvent::CpuClock;
    std::uint32_t pageFaultPeriod = 0; ///< every so many one is sampled; 0: none
    std::uint32_t switchPeriod = 0;
    double offCpuShare = 0; ///< of the times that a thread leaves its processor, as many are looked at
    SymbolChoice symbols = SymbolChoice::Names;
    std::optional<Address> receiver;
    bool isGzip = false;
    std::string output;
    std::optional<std::chrono::nanoseconds> duration;
    bool isControlled = false; ///< reports on standard output, ends at the end of standard input
    bool wantsHelp = false;
    bool wantsVersion = false;
};

Result<Options> parseOptions(int argc, char **argv);

/// What `--help` prints.
std::string helpText();

} // namespace hearth::agent
