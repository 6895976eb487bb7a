#pragma once

#include "agent/elf/elf_image.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hearth::agent {

/// The functions that a binary names, ordered by address. The names stay in the file until they are asked
/// for.
class SymbolTable {
public:
    /// Reads .symtab of the separate debug file where there is one, of the image, .dynsym, and the table that
    /// Go's runtime needs, which stripping leaves. Both must outlive the table; `debug` may be null.
    static SymbolTable read(const ElfImage &image, const ElfImage *debug);

    /// The function at an address of the file, as the linker knows it.
    std::optional<std::string> nameAt(std::uint64_t address) const;

    std::size_t size() const { return m_symbols.size(); }

private:
    struct Symbol {
        std::uint64_t address = 0;
        std::uint64_t size = 0;
        std::uint64_t name = 0; ///< position in the file
        std::uint32_t file = 0;
        std::uint32_t rank = 0; ///< of several at an address the one with the lowest
    };

    void add(const ElfImage &image, std::uint32_t sectionType);
    void addGoFunctions(const ElfImage &image);

    std::vector<const FileBytes *> m_files;
    std::vector<Symbol> m_symbols;
};

/// The debug file of this build id (in hex) where distributions put it; nothing if there is none.
std::optional<ElfImage> debugFileOf(const std::string &buildId);

} // namespace hearth::agent
