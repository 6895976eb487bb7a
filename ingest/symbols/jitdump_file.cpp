#include "ingest/symbols/jitdump_file.h"

#include "ingest/symbols/process_file.h"

#include <sys/stat.h>

#include <utility>

namespace hearth {

namespace {

constexpr std::uint64_t kShortestPauseNs = 50'000'000;
constexpr std::size_t kMostRecordsAtOnce = 4096; ///< V8 writes twice as many while it starts

/// A process that writes more than this has its own reasons.
constexpr JitDumpLimits kLimits{.stays = 131'072, .textBytes = std::size_t(16) << 20, .lookedBack = 256};

} // namespace

JitDumpFile::JitDumpFile(std::uint32_t process, std::string path)
    : m_process(process), m_path(std::move(path)), m_dump(kLimits)
{}

void JitDumpFile::readOn(std::uint64_t nowNs, std::uint64_t timeNs)
{
    if (m_lookedNs != 0 && (timeNs < m_lookedNs || nowNs < m_lookedNs + kShortestPauseNs))
        return;
    m_lookedNs = nowNs;
    const int file = openFileOf(m_process, m_path.substr(1));
    struct stat status{};
    if (file < 0 || ::fstat(file, &status) != 0)
        return;
    if (m_inode != status.st_ino) // another file took its place
        m_dump = JitDump(kLimits);
    m_inode = status.st_ino;
    if (const auto bytes = ByteRange::ofDescriptor(file))
        m_dump.readOn(*bytes, kMostRecordsAtOnce);
}

bool isJitDumpPath(std::string_view path)
{
    return path.starts_with('/') && path.substr(path.find_last_of('/') + 1).starts_with("jit-") &&
           path.ends_with(".dump");
}

} // namespace hearth
