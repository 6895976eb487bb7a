#include "ingest/elf/dwarf/sections.h"

namespace hearth::dwarf {

namespace {

constexpr std::size_t kBlock = std::size_t(16) << 10;
constexpr std::size_t kEnough = std::size_t(8) << 10;

} // namespace

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

Cursor Window::at(std::uint64_t offset)
{
    const bool isHere = offset >= m_begin && offset < m_begin + m_block.size();
    const std::size_t left = isHere ? m_block.size() - static_cast<std::size_t>(offset - m_begin) : 0;
    if (left < kEnough && left < m_section.size() - std::min(m_section.size(), offset)) {
        m_block.resize(kBlock);
        m_block.resize(m_section.read(offset, std::span(m_block)));
        m_begin = offset;
    }
    Cursor cursor(m_block);
    if (offset >= m_begin)
        cursor.seek(offset - m_begin);
    else
        cursor.skip(m_block.size() + 1); // beyond the section, and so no good
    return cursor;
}

} // namespace hearth::dwarf
