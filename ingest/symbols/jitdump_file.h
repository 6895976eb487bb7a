#pragma once

#include "ingest/symbols/jitdump.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hearth {

/// The jitdump of a process, read on as it grows. The process is not trusted: the file must be its user's
/// own, no link leads to it, and little of it is read at a time.
class JitDumpFile {
public:
    /// @param path as the process sees it
    JitDumpFile(std::uint32_t process, std::string path);

    /// Reads what has been added, so that it is known what was where at a time. May be called often: it looks
    /// only if it has not done so since then.
    void readOn(std::uint64_t nowNs, std::uint64_t timeNs);

    const JitDump &dump() const { return m_dump; }
    const std::string &path() const { return m_path; }

private:
    std::uint32_t m_process;
    std::string m_path;
    std::uint64_t m_lookedNs = 0;
    std::uint64_t m_inode = 0;
    JitDump m_dump;
};

/// Whether a file that a process has mapped is its jitdump: "jit-PID.dump".
bool isJitDumpPath(std::string_view path);

} // namespace hearth
