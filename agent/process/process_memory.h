#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hearth::agent {

/// Copies from a process's memory, which is any other user's only with CAP_SYS_PTRACE. It goes on meanwhile,
/// so what is read may not belong together.
/// @return whether all of it was there
bool readMemory(std::uint32_t process, std::uint64_t address, std::span<std::byte> into);

template <class Value>
bool readValue(std::uint32_t process, std::uint64_t address, Value &value)
{
    return readMemory(process, address, std::as_writable_bytes(std::span(&value, 1)));
}

} // namespace hearth::agent
