#pragma once

#include "ingest/elf/elf_file.h"

#include <memory>

namespace hearth {

/// The code that the kernel lends to every process: there is no file of it, and ours is like any other's.
/// @return null if this kernel lends none
std::shared_ptr<const ElfFile> vdsoOfThisMachine();

} // namespace hearth
