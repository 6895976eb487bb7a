#include "agent/bpf/program.h"

// The assembler takes the file in; this is rebuilt when it changes.
asm(".section .rodata\n"
    ".balign 8\n"
    "hearthBpfBegin:\n"
    ".incbin \"" HEARTH_BPF_OBJECT "\"\n"
    "hearthBpfEnd:\n"
    ".previous\n"
    ".globl hearthBpfBegin, hearthBpfEnd\n");

extern "C" const std::uint8_t hearthBpfBegin[];
extern "C" const std::uint8_t hearthBpfEnd[];

namespace hearth::agent {

std::span<const std::uint8_t> bpfProgram()
{
    return {hearthBpfBegin, hearthBpfEnd};
}

} // namespace hearth::agent
