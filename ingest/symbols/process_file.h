#pragma once

#include <cstdint>
#include <string>

// Files that processes write about themselves. They need not mean well: whoever reads them may be allowed
// more than they are.

namespace hearth {

/// The process's number in its own PID namespace.
std::string innermostNumber(std::uint32_t process);

/// Opens a file by its path within the root of a process; when that has gone, within ours. No link leads to
/// it, and its owner, who is the process's user, is the only one who may write it.
/// @param path without a slash in front
/// @return the descriptor, to be closed; negative if there is no such file
int openFileOf(std::uint32_t process, const std::string &path);

} // namespace hearth
