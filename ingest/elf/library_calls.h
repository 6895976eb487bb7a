#pragma once

#include "ingest/elf/elf_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hearth {

/// A few instructions of the linker's that go on to a function of a library.
struct LibraryCall {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    std::string function; ///< "memcpy"
};

/// Those of the sections .plt, .plt.sec and .plt.got of a program for x86-64 or arm64: told by the place that
/// each takes its destination from, which the linker has the name for. Whatever is not like that is left out.
std::vector<LibraryCall> libraryCallsOf(const ElfFile &file);

} // namespace hearth
