#pragma once

#include "agent/process/exported_symbols.h"
#include "ingest/elf/elf_file.h"

#include <cstdint>
#include <optional>

namespace hearth::agent {

/// Where a binary's variable otel_thread_ctx_v1 is, in which every thread points to its OpenTelemetry context
/// (OTEP 4947): so samples are linked to spans. What is told in the file; what only the loader knows is in
/// the process's memory.
struct ThreadContextVariable {
    std::int64_t offset = 0; ///< from the thread pointer, if the binary is the program itself
    std::uint64_t slot =
        0; ///< address in the file of the word that holds the offset at run time; 0 if there is none
};

std::optional<ThreadContextVariable> threadContextVariable(const ElfFile &file,
                                                           const ExportedSymbols &exported);

/// The offset from the thread pointer in a process that has the binary at `shift`.
/// @return 0 if it has none, or the loader put the variable where it takes more to find it
std::int64_t threadContextOffset(const ThreadContextVariable &variable, std::uint32_t process,
                                 std::uint64_t shift, bool isProgram);

} // namespace hearth::agent
