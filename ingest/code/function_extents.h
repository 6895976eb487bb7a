#pragma once

#include "ingest/elf/elf_file.h"
#include "ingest/elf/symbol_table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hearth {

/// Where the functions of a program begin and end. Symbols say so; where they do not reach, as in stripped
/// programs, the tables that exceptions are unwound by do.
class FunctionExtents {
public:
    /// @param symbols which must outlive this
    FunctionExtents(std::shared_ptr<const ElfFile> program, const SymbolTable &symbols);

    struct Extent {
        std::uint64_t begin = 0; ///< addresses of the linker's
        std::uint64_t end = 0;
        std::string name; ///< as the linker knows it; empty if nobody says
    };
    /// @return nothing where no function is known to be
    std::optional<Extent> find(std::uint64_t address) const;

private:
    struct Start {
        std::uint64_t function = 0;
        std::uint64_t description = 0; ///< address of what says where it ends
    };

    void readStarts();
    std::optional<Extent> findUnwound(std::uint64_t address) const;
    std::uint64_t endOf(std::size_t start) const;

    std::shared_ptr<const ElfFile> m_program;
    const SymbolTable &m_symbols;
    std::vector<Start> m_starts; ///< by function
};

} // namespace hearth
