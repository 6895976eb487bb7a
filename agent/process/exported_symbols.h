#pragma once

#include "ingest/elf/elf_file.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hearth::agent {

/// A symbol of .dynsym that the file itself defines.
struct ExportedSymbol {
    std::uint32_t number = 0; ///< in the table
    std::uint64_t value = 0;
    bool isThreadLocal = false;
};

/// The symbols that a program or library offers to others, to be asked for a few by their names.
class ExportedSymbols {
public:
    explicit ExportedSymbols(const ElfFile &file);

    std::optional<ExportedSymbol> find(std::string_view name) const;

private:
    std::vector<std::uint8_t> m_names;
    std::vector<std::uint8_t> m_symbols;
};

} // namespace hearth::agent
