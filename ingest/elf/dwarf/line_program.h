#pragma once

#include "ingest/elf/dwarf/units.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hearth::dwarf {

/// The place in the source that code at an address was made of.
struct Row {
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
    const std::string &file(std::uint64_t number) const;

private:
    struct EntryFormat {
        std::uint64_t content = 0;
        std::uint16_t form = 0;
    };

    bool readHeader(Cursor &cursor, const Sections &sections, const Unit &unit);
    void readOldFiles(Cursor &cursor);
    void readFiles(Cursor &cursor, const Sections &sections);
    std::vector<std::string> readEntries(Cursor &cursor, const Sections &sections, bool areFiles);
    void addFile(std::uint64_t folder, const std::string &name);

    Unit m_unit; ///< for the forms of values
    std::vector<std::uint8_t> m_bytes;
    std::size_t m_program = 0; ///< where it begins in m_bytes
    std::uint8_t m_instructionSize = 1;
    std::int8_t m_lineBase = 0;
    std::uint8_t m_lineRange = 1;
    std::uint8_t m_opcodeBase = 13;
    std::vector<std::uint8_t> m_operands; ///< how many the standard opcodes have
    std::vector<std::string> m_folders;
    std::vector<std::string> m_files;
};

} // namespace hearth::dwarf
