#include "agent/process/process_memory.h"

#include <sys/uio.h>

namespace hearth::agent {

bool readMemory(std::uint32_t process, std::uint64_t address, std::span<std::byte> into)
{
    iovec local{.iov_base = into.data(), .iov_len = into.size()};
    iovec remote{.iov_base = reinterpret_cast<void *>(address), .iov_len = into.size()};
    return process_vm_readv(static_cast<pid_t>(process), &local, 1, &remote, 1, 0) ==
           static_cast<ssize_t>(into.size());
}

} // namespace hearth::agent
