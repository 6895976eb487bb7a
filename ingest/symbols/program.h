#pragma once

#include "ingest/elf/dwarf/dwarf_file.h"
#include "ingest/elf/elf_file.h"
#include "ingest/elf/go/go_table.h"
#include "ingest/elf/symbol_table.h"
#include "model/store/symbols.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

/// The files that the names of one binary come from.
struct ProgramFiles {
    std::shared_ptr<const ElfFile> program;
    std::shared_ptr<const ElfFile> debug;      ///< may be the program, or null
    std::shared_ptr<const ElfFile> supplement; ///< that the debug file shares with others; mostly null
};

/// How much is to be found out about a place.
enum class PlaceDetail {
    Functions, ///< what symbol tables say: takes little time and memory
    Lines,     ///< debug information too: source lines, and what was inlined
};

/// A binary's names. Any thread.
class Program {
public:
    /// REQUIRES: a program
    explicit Program(ProgramFiles files, PlaceDetail detail = PlaceDetail::Lines);

    SymbolSource source() const { return m_source; }
    const SymbolTable &table() const { return m_table; }
    /// The file that the best of the names are from.
    const std::string &sourceFile() const;

    /// Chains of places in the program's file, innermost function first; empty where nothing is known.
    /// @param offsets in ascending order
    std::vector<std::vector<SymbolLine>> namesOf(std::span<const std::uint64_t> offsets,
                                                 const std::stop_token &stop = {}) const;

private:
    std::vector<std::vector<SymbolLine>> chainsOf(std::span<const std::uint64_t> addresses,
                                                  const std::stop_token &stop) const;
    void nameFunction(std::uint64_t address, std::vector<SymbolLine> &chain) const;

    ProgramFiles m_files;
    std::shared_ptr<const DwarfFile> m_dwarf;
    std::shared_ptr<const GoTable> m_go;
    SymbolTable m_table;
    SymbolSource m_source = SymbolSource::None;
};

} // namespace hearth
