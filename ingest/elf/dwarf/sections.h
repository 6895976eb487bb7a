#pragma once

#include "ingest/elf/elf_file.h"

namespace hearth::dwarf {

/// The debug sections of one file that names and lines are in. A section that is missing is empty.
struct Sections {
    ByteRange info;
    ByteRange abbreviations;
    ByteRange line;
    ByteRange strings;
    ByteRange lineStrings;
    ByteRange stringOffsets;
    ByteRange addresses;
    ByteRange ranges;     ///< until DWARF 4
    ByteRange rangeLists; ///< from DWARF 5 on
    bool isSplit = false; ///< a .dwo

    static Sections of(const ElfFile &file);
    static Sections ofSplit(const ElfFile &file);
};

} // namespace hearth::dwarf
