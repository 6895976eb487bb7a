#pragma once

#include "ingest/elf/dwarf/units.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hearth::dwarf {

/// The place in the source that code at an address was made of.
struct Row {
    std::uint64_t begin = 0; ///< the first address of the code that it is of
    std::uint32_t file = 0;
    std::uint32_t line = 0; ///< 0: of no line, or not found
    std::uint32_t column = 0;
    bool isFound = false;
};

/// A unit's table of lines: its files, and a program that makes the rows as it runs.
class LineProgram {
public:
    LineProgram(const Sections &sections, std::uint64_t offset, const Unit &unit);

    /// @param addresses in ascending order
    std::vector<Row> rowsOf(std::span<const std::uint64_t> addresses) const;

    /// @param number as rows and call sites have it
    std::string file(std::uint64_t number) const;
    std::size_t fileCount() const { return m_files.size(); }

private:
    /// A folder or a file as the header has it: most are never asked for.
    struct Entry {
        Value name;
        std::uint64_t folder = 0;
    };
    struct EntryFormat {
        std::uint64_t content = 0;
        std::uint16_t form = 0;
    };

    bool readHeader(Cursor &cursor);
    void readOldFiles(Cursor &cursor);
    std::vector<Entry> readEntries(Cursor &cursor);
    std::string folder(std::uint64_t number) const;
    std::string text(const Value &name) const;

    const Sections &m_sections;
    Unit m_unit; ///< for the forms of values
    std::vector<std::uint8_t> m_bytes;
    std::size_t m_program = 0; ///< where it begins in m_bytes
    std::uint8_t m_instructionSize = 1;
    std::int8_t m_lineBase = 0;
    std::uint8_t m_lineRange = 1;
    std::uint8_t m_opcodeBase = 13;
    std::vector<std::uint8_t> m_operands; ///< how many the standard opcodes have
    std::vector<Entry> m_folders; ///< that of the compilation first, which until DWARF 4 is not listed
    std::vector<Entry> m_files;
};

} // namespace hearth::dwarf
