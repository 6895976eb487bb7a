#pragma once

#include "model/store/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hearth {

/// What a thread that did not run waited for, as far as its stack tells.
enum class WaitCause : std::uint8_t {
    Lock,    ///< another thread: mutexes, conditions, futexes
    Disk,    ///< files and block devices
    Network, ///< sockets
    Events,  ///< whatever comes first: poll, epoll
    Sleep,   ///< a time that it set itself
    Other,
};
inline constexpr std::size_t kWaitCauses = static_cast<std::size_t>(WaitCause::Other) + 1;

/// "lock", "disk" …
std::string_view nameOf(WaitCause cause);

/// By stack: the cause that its innermost telling frame names.
std::vector<WaitCause> waitCauses(const Snapshot &snapshot);

} // namespace hearth
