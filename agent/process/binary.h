#pragma once

#include "agent/process/thread_context.h"
#include "agent/python/python_binary.h"
#include "agent/symbols/binary_names.h"
#include "ingest/unwind/unwind_table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace hearth::agent {

/// An unwind table that the kernel has.
struct KernelTable {
    std::uint32_t slot = 0;
    std::uint32_t rows = 0;
    std::uint64_t base = 0;
};

/// A program or library that is mapped somewhere, or code that came from no file.
struct Binary : std::enable_shared_from_this<Binary> {
    std::string path;
    std::string buildId; ///< in hex
    std::string goBuildId;
    std::string fileHash;
    std::shared_ptr<const ElfFile> file; ///< null if it could not be read

    std::optional<UnwindTable> table;    ///< made when it is first needed
    std::optional<KernelTable> inKernel; ///< outlives `table`, which is made anew if need be
    std::optional<BinaryNames> names;    ///< made when a name is first asked for
    std::uint64_t lastUse = 0;           ///< rounds
    std::optional<ThreadContextVariable> threadContext;
    std::optional<PythonBinary> python; ///< if it has CPython's interpreter

    /// The last part of the path.
    std::string_view name() const;
};

/// The names of a binary that has a file; they are read when they are first asked for.
BinaryNames &namesOf(Binary &binary);

/// Where a binary is in a process.
struct PlacedBinary {
    std::shared_ptr<Binary> binary;
    std::uint64_t shift = 0; ///< an address of the process minus this is one of the file

    /// Of the segment that it is in; as one mapped it.
    std::uint64_t segmentAddress = 0;
    std::uint64_t segmentOffset = 0;
    std::uint64_t segmentSize = 0;
};

} // namespace hearth::agent
