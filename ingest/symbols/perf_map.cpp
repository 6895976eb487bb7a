#include "ingest/symbols/perf_map.h"

#include "ingest/symbols/process_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <vector>

namespace hearth {

namespace {

constexpr std::size_t kMostEntries = 262'144;
constexpr std::size_t kMostNames = std::size_t(16) << 20;
constexpr std::size_t kLongestName = 1024;
constexpr std::uint64_t kMostFile = std::uint64_t(64) << 20;
constexpr std::size_t kPiece = std::size_t(1) << 20;
constexpr std::uint64_t kBetweenLooksNs = 500'000'000;

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

std::size_t PerfMap::bytes() const
{
    constexpr std::size_t kNode = 64;
    return m_names.capacity() + m_entries.size() * kNode;
}

void PerfMap::clear()
{
    m_entries.clear();
    m_names.clear();
}

PerfMapFile::PerfMapFile(std::uint32_t process)
    : m_process(process), m_name("tmp/perf-" + innermostNumber(process) + ".map")
{}

void PerfMapFile::readOn(std::uint64_t nowNs)
{
    if (nowNs < m_nextLookNs)
        return;
    m_nextLookNs = nowNs + kBetweenLooksNs;
    const int file = openFileOf(m_process, m_name);
    if (file < 0)
        return;
    takeFrom(file);
    ::close(file);
}

void PerfMapFile::takeFrom(int file)
{
    struct stat status{};
    if (::fstat(file, &status) != 0)
        return;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (status.st_ino != m_inode || size < m_position) { // it was written anew
        m_map.clear();
        m_inode = status.st_ino;
        m_position = 0;
    }
    std::vector<char> piece(size > m_position && m_position < kMostFile ? kPiece : 0);
    while (!piece.empty()) {
        const ssize_t count = ::pread(file, piece.data(), piece.size(), static_cast<off_t>(m_position));
        const std::size_t taken = count > 0 ? m_map.add({piece.data(), static_cast<std::size_t>(count)}) : 0;
        m_position += taken;
        if (taken == 0 || m_position >= kMostFile)
            return;
    }
}

} // namespace hearth
