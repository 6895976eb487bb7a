#pragma once

#include "ingest/elf/dwarf/units.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace hearth::dwarf {

/// A function that an address is in: the outermost one, or one that was inlined into the one before it.
struct Scope {
    std::uint64_t entry = 0; ///< from the begin of .debug_info
    std::uint64_t callFile = 0;
    std::uint64_t callLine = 0;
    std::uint64_t callColumn = 0;
};

/// By address, outermost first. @param addresses in ascending order @param bytes of the unit
std::vector<std::vector<Scope>> scopesOf(const Unit &unit, std::span<const std::uint8_t> bytes,
                                         const Abbreviations &abbreviations, Reader &reader,
                                         std::span<const std::uint64_t> addresses);

struct FunctionName {
    std::string name;       ///< as in the source
    std::string linkage;    ///< as the linker knows it
    std::uint64_t line = 0; ///< of its declaration
};

/// What functions are called, wherever the entry with the name may be. Of one thread.
class FunctionNames {
public:
    FunctionNames(const Sections &sections, const Sections &main, std::span<const Unit> units);

    /// The file that several share parts of their debug information in (DWZ).
    void setSupplement(FunctionNames *supplement) { m_supplement = supplement; }

    /// Whose bytes are at hand: most names are in the unit that asks.
    void setUnit(const Unit &unit, std::span<const std::uint8_t> bytes);
    /// Valid until a unit is set.
    const FunctionName &of(std::uint64_t entry);

private:
    Cursor cursorAt(std::uint64_t entry);
    const Abbreviations &abbreviationsOf(const Unit &unit);
    FunctionName read(std::uint64_t entry, int hops);
    const std::string &sourceNameOf(const std::string &linkage);

    const Sections &m_sections;
    const std::span<const Unit> m_units;
    FunctionNames *m_supplement = nullptr;
    Reader m_reader;
    SectionWindow m_info;
    std::uint64_t m_unitBegin = 0;
    std::span<const std::uint8_t> m_unitBytes;
    std::unordered_map<std::uint64_t, std::unique_ptr<Abbreviations>> m_abbreviations;
    std::unordered_map<std::uint64_t, FunctionName> m_names;
    std::unordered_map<std::string, std::string> m_sourceNames; ///< units have many functions in common
};

} // namespace hearth::dwarf
