#pragma once

#include "ingest/elf/elf_file.h"
#include "model/store/store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

namespace dwarf {
struct Sections;
struct Unit;
struct AddressRange;
} // namespace dwarf

/// The debug information of a program: of which function, file and line an address is, and what was inlined
/// there. Costs memory by the largest unit that is asked for, not by the file. Any thread.
class DwarfFile {
public:
    /// @param supplement the file that debug information shares with others (DWZ)
    /// @return null if there is no debug information in it, or none of a little-endian machine
    static std::shared_ptr<const DwarfFile> of(const std::shared_ptr<const ElfFile> &file,
                                               std::shared_ptr<const ElfFile> supplement = nullptr);
    ~DwarfFile();
    DwarfFile(const DwarfFile &) = delete;
    DwarfFile &operator=(const DwarfFile &) = delete;

    /// The chains of addresses, innermost first; empty where nothing is known. A line without a name is one
    /// of a place whose function the debug information does not tell.
    /// @param addresses the linker's, in ascending order
    /// @return less than all if stopped
    std::vector<std::vector<SymbolLine>> linesOf(std::span<const std::uint64_t> addresses,
                                                 const std::stop_token &stop = {}) const;

private:
    struct UnitRange {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint32_t unit = 0;
    };
    struct Supplement;
    class Worker;

    DwarfFile();
    std::optional<std::uint32_t> unitOf(std::uint64_t address) const;

    std::shared_ptr<const ElfFile> m_file;
    std::unique_ptr<dwarf::Sections> m_sections;
    std::vector<dwarf::Unit> m_units;
    std::vector<UnitRange> m_ranges; ///< by begin
    std::unique_ptr<Supplement> m_supplement;
};

} // namespace hearth
