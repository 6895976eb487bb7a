#pragma once

#include "agent/process/process_events.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What /proc says of processes. All of it is written by programs that need not mean well, so all of it is
// bounded.

namespace hearth::agent {

inline constexpr std::size_t kMostMappings = 8192; ///< of a process, with code

/// A path without what the kernel adds to it when the file has gone.
std::string_view withoutDeleted(std::string_view path);

/// The executable mappings in the text of /proc/PID/maps, in order.
std::vector<MappedCode> parseMaps(std::string_view text);

/// The container that a process is in, by the text of /proc/PID/cgroup: 64 hex digits; empty if in none.
std::string containerId(std::string_view text);

/// `/proc/PID/NAME`, as much of it as fits into the limit. Empty if it cannot be read.
std::string readProcFile(std::uint32_t process, std::string_view name, std::size_t limit);

/// Where a link of a process leads: `exe`, `cwd`. Empty if it cannot be read.
std::string readProcLink(std::uint32_t process, std::string_view name);

std::vector<MappedCode> mapsOf(std::uint32_t process);

/// The process and all that descend from it.
std::vector<std::uint32_t> familyOf(std::uint32_t process);

} // namespace hearth::agent
