#pragma once

#include "ingest/elf/elf_file.h"
#include "model/code/disassembly.h"
#include "model/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

/// The instructions that bytes are, one behind the other and all of the bytes in one: what is no instruction,
/// as tables between code, is data. Without places and comments.
/// @param address of the first byte
/// @return an error if code of this machine cannot be read
Result<std::vector<Instruction>> instructionsOf(std::span<const std::uint8_t> bytes, std::uint64_t address,
                                                ElfMachine machine, AssemblySyntax syntax);

} // namespace hearth
