#pragma once

#include "ingest/elf/elf_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hearth {

/// The names that a file gives to its functions apart from debug information, by address.
class SymbolTable {
public:
    enum class Origin {
        None,
        Symbols,  ///< .symtab: every function
        Mini,     ///< .gnu_debugdata: what .symtab had and .dynsym has not
        Exported, ///< .dynsym alone: a function that is not exported has no name
    };

    SymbolTable() = default;
    /// The best table that the file has.
    explicit SymbolTable(const ElfFile &file);

    /// Names the program's ways into libraries: "memcpy@plt". A file of debug information has none.
    void addLibraryCalls(const ElfFile &program);

    Origin origin() const { return m_origin; }
    std::size_t size() const { return m_symbols.size(); }
    std::size_t bytes() const { return m_symbols.capacity() * sizeof(Symbol); }

    struct Found {
        std::string name; ///< as the linker knows it
        std::uint64_t address = 0;
        std::uint64_t size = 0;
    };
    /// The function at an address of the linker's; nothing where none reaches.
    std::optional<Found> find(std::uint64_t address) const;

private:
    struct Symbol {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint32_t name = 0;  ///< in the string table
        std::uint16_t table = 0; ///< which of m_names
        std::uint16_t rank = 0;  ///< the better of several at one address is the lower
    };
    static_assert(sizeof(Symbol) == 24);

    void add(const ElfFile &file, const ElfSection &section);
    void add(const ElfFile &file, std::span<const std::uint8_t> entries);
    void arrange(const ElfFile &file);

    Origin m_origin = Origin::None;
    std::vector<Symbol> m_symbols; ///< by address, one each
    std::vector<ByteRange> m_names;
};

} // namespace hearth
