#pragma once

#include <cstdint>
#include <span>

namespace hearth::agent {

/// The compiled BPF programs, as the ELF file that libbpf reads.
std::span<const std::uint8_t> bpfProgram();

} // namespace hearth::agent
