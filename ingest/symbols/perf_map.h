#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hearth {

/// Names of code that a process made while it ran, which it writes to /tmp/perf-PID.map: a line is
/// `START SIZE NAME`, both numbers in hex. What comes later takes the place of what was there.
class PerfMap {
public:
    /// Takes in whole lines; what is behind the last one is to come again with more.
    /// @return how many bytes were taken in
    std::size_t add(std::string_view text);

    std::optional<std::string_view> nameAt(std::uint64_t address) const;
    std::size_t size() const { return m_entries.size(); }
    /// What it takes of memory, nearly.
    std::size_t bytes() const;
    void clear();

private:
    struct Entry {
        std::uint64_t end = 0;
        std::size_t name = 0; ///< where in m_names, ended by a zero
    };

    void addLine(std::string_view line);

    std::map<std::uint64_t, Entry> m_entries; ///< by start; they do not overlap
    std::string m_names;
};

/// The perf map of a process, read on as it grows. The process is not trusted: the file must be its user's
/// own, no link leads to it, and what is read of it is bounded.
class PerfMapFile {
public:
    explicit PerfMapFile(std::uint32_t process);

    /// Reads what has been added. May be called often: it looks only twice a second.
    void readOn(std::uint64_t nowNs);

    const PerfMap &map() const { return m_map; }

private:
    void takeFrom(int file);

    const std::uint32_t m_process;
    std::string m_name; ///< "tmp/perf-PID.map", the number being the process's own
    std::uint64_t m_nextLookNs = 0;
    std::uint64_t m_inode = 0;
    std::uint64_t m_position = 0;
    PerfMap m_map;
};

} // namespace hearth
