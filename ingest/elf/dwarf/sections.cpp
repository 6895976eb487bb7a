#include "ingest/elf/dwarf/sections.h"

namespace hearth::dwarf {

Sections Sections::of(const ElfFile &file)
{
    return {.info = file.content(".debug_info"),
            .abbreviations = file.content(".debug_abbrev"),
            .line = file.content(".debug_line"),
            .strings = file.content(".debug_str"),
            .lineStrings = file.content(".debug_line_str"),
            .stringOffsets = file.content(".debug_str_offsets"),
            .addresses = file.content(".debug_addr"),
            .ranges = file.content(".debug_ranges"),
            .rangeLists = file.content(".debug_rnglists")};
}

Sections Sections::ofSplit(const ElfFile &file)
{
    Sections sections;
    sections.info = file.content(".debug_info.dwo");
    sections.abbreviations = file.content(".debug_abbrev.dwo");
    sections.strings = file.content(".debug_str.dwo");
    sections.stringOffsets = file.content(".debug_str_offsets.dwo");
    sections.rangeLists = file.content(".debug_rnglists.dwo");
    sections.isSplit = true;
    return sections;
}

} // namespace hearth::dwarf
