#include "agent/symbols/perf_map.h"

#include "agent/file_descriptor.h"
#include "agent/process/proc_files.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <charconv>
#include <vector>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostEntries = 262'144;
constexpr std::size_t kMostNames = std::size_t(16) << 20;
constexpr std::size_t kLongestName = 1024;
constexpr std::uint64_t kMostFile = std::uint64_t(64) << 20;
constexpr std::size_t kPiece = std::size_t(1) << 20;
constexpr std::uint64_t kBetweenLooksNs = 500'000'000;
constexpr std::size_t kMostStatus = 4096;

/// A hexadecimal number, perhaps with 0x, and the blank behind it, which are taken off.
std::optional<std::uint64_t> takeHex(std::string_view &line)
{
    if (line.starts_with("0x"))
        line.remove_prefix(2);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number, 16);
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (error != std::errc() || !line.starts_with(' '))
        return std::nullopt;
    line.remove_prefix(1);
    return number;
}

/// The process's number in its own PID namespace: the last of "NSpid:\t4711\t12".
std::string innermostNumber(std::uint32_t process)
{
    const std::string status = readProcFile(process, "status", kMostStatus);
    const std::size_t begin = status.find("\nNSpid:");
    if (begin == std::string::npos)
        return std::to_string(process);
    const std::string line = status.substr(begin + 1, status.find('\n', begin + 1) - begin - 1);
    return line.substr(line.find_last_of("\t ") + 1);
}

} // namespace

std::size_t PerfMap::add(std::string_view text)
{
    std::size_t taken = 0;
    for (std::size_t end = 0; (end = text.find('\n', taken)) != std::string_view::npos; taken = end + 1)
        addLine(text.substr(taken, end - taken));
    return taken;
}

void PerfMap::addLine(std::string_view line)
{
    const auto begin = takeHex(line);
    const auto size = begin ? takeHex(line) : std::nullopt;
    std::uint64_t end = 0;
    if (!size || *size == 0 || line.empty() || __builtin_add_overflow(*begin, *size, &end))
        return;
    auto at = m_entries.upper_bound(*begin);
    if (at != m_entries.begin() && std::prev(at)->second.end > *begin)
        --at;
    while (at != m_entries.end() && at->first < end)
        at = m_entries.erase(at);
    if (m_entries.size() >= kMostEntries || m_names.size() >= kMostNames)
        return;
    m_entries.emplace(*begin, Entry{.end = end, .name = m_names.size()});
    m_names.append(line.substr(0, std::min(line.find('\0'), kLongestName))).push_back('\0');
}

std::optional<std::string_view> PerfMap::nameAt(std::uint64_t address) const
{
    const auto behind = m_entries.upper_bound(address);
    if (behind == m_entries.begin() || address >= std::prev(behind)->second.end)
        return std::nullopt;
    return std::string_view(m_names.data() + std::prev(behind)->second.name);
}

void PerfMap::clear()
{
    m_entries.clear();
    m_names.clear();
}

PerfMapFile::PerfMapFile(std::uint32_t process)
    : m_process(process), m_name("tmp/perf-" + innermostNumber(process) + ".map")
{
    struct stat status{};
    if (stat(("/proc/" + std::to_string(process)).c_str(), &status) == 0)
        m_user = status.st_uid;
}

/// Within the process's root; when it has gone, within our own.
int PerfMapFile::open() const
{
    open_how how{};
    how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;
    how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    for (const std::string &root : {"/proc/" + std::to_string(m_process) + "/root", std::string("/")}) {
        const FileDescriptor directory(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (directory.isOpen())
            return static_cast<int>(syscall(SYS_openat2, directory.get(), m_name.c_str(), &how, sizeof how));
    }
    return -1;
}

void PerfMapFile::readOn(std::uint64_t nowNs)
{
    if (nowNs < m_nextLookNs)
        return;
    m_nextLookNs = nowNs + kBetweenLooksNs;
    const FileDescriptor file(open());
    struct stat status{};
    if (!file.isOpen() || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_uid != m_user || (status.st_mode & S_IWOTH) != 0)
        return;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (status.st_ino != m_inode || size < m_position) { // it was written anew
        m_map.clear();
        m_inode = status.st_ino;
        m_position = 0;
    }
    std::vector<char> piece(size > m_position && m_position < kMostFile ? kPiece : 0);
    while (!piece.empty()) {
        const ssize_t count = pread(file.get(), piece.data(), piece.size(), static_cast<off_t>(m_position));
        const std::size_t taken = count > 0 ? m_map.add({piece.data(), static_cast<std::size_t>(count)}) : 0;
        m_position += taken;
        if (taken == 0 || m_position >= kMostFile)
            return;
    }
}

} // namespace hearth::agent
