#pragma once

#include "ingest/elf/elf_file.h"
#include "ingest/elf/go/go_header.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hearth::go {

/// A word that the loader writes where the program is loaded at another address than it was linked for.
struct Relocation {
    std::uint64_t place = 0;
    std::uint64_t value = 0;
};

/// The table of functions of a Go program, and what runtime.moduledata says of it.
struct Module {
    ByteRange table;
    Header header;
    std::uint64_t text = 0;              ///< what addresses of functions count from, since Go 1.18
    ByteRange functionData;              ///< go:func.*, where inlined calls are; empty if unknown
    std::vector<Relocation> relocations; ///< within the table, from its begin
};

/// @return nothing of other programs. Neither sections nor symbols need to be there.
std::optional<Module> findModule(const ElfFile &file);

} // namespace hearth::go
