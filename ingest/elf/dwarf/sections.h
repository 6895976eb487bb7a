#pragma once

#include "ingest/elf/cursor.h"
#include "ingest/elf/elf_file.h"

#include <cstdint>
#include <memory>
#include <vector>

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

/// Reads a section here and there, a block at a time. Of one thread.
class Window {
public:
    explicit Window(ByteRange section) : m_section(std::move(section)) {}

    /// From there on, some kilobytes unless the section ends: enough for any single entry.
    Cursor at(std::uint64_t offset);

private:
    ByteRange m_section;
    std::uint64_t m_begin = 0;
    std::vector<std::uint8_t> m_block;
};

} // namespace hearth::dwarf
