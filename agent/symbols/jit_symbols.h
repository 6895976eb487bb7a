#pragma once

#include "agent/process/process_table.h"
#include "ingest/symbols/jit_name.h"
#include "ingest/symbols/jitdump_file.h"
#include "ingest/symbols/perf_map.h"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace hearth::agent {

/// Names of code that processes made while they ran, as far as they tell: by a jitdump, which they have
/// mapped, or by a perf map.
class JitSymbols {
public:
    /// @param timeNs by CLOCK_MONOTONIC: the code at an address makes room for other code
    std::optional<JitName> nameAt(const Process &process, std::uint64_t address, std::uint64_t timeNs);

    void forget(std::uint32_t process);

private:
    /// Of a process.
    struct Files {
        std::size_t bytes() const;

        std::optional<PerfMapFile> map; ///< null if the process tells too much to be listened to
        std::optional<JitDumpFile> dump;
        std::uint64_t version = 0; ///< of the process's code, when a jitdump was last looked for in it
    };

    static void readOn(Files &files, const Process &process, std::uint64_t timeNs);
    void refuseLargest();

    std::unordered_map<std::uint32_t, Files> m_files;
    std::size_t m_bytes = 0; ///< of all
};

} // namespace hearth::agent
