#pragma once

#include "ingest/elf/dwarf/sections.h"

#include <cstdint>
#include <optional>

namespace hearth::dwarf {

/// The parts that one unit has of the sections of a package, in which the split units of a program are put
/// together (.dwp).
/// @return nothing if the file is no package, or has no such unit
std::optional<Sections> sectionsInPackage(const ElfFile &package, std::uint64_t dwoId);

} // namespace hearth::dwarf
