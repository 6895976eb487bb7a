#pragma once

#include "ingest/elf/dwarf/line_program.h"
#include "ingest/elf/dwarf/units.h"
#include "model/store/shared_text.h"

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace hearth::dwarf {

/// A function that an address is in: the outermost one, or one that was inlined into another.
struct Scope {
    static constexpr std::uint32_t kNone = ~0U;

    std::uint64_t entry = 0; ///< that has the name, or leads to it; from the begin of .debug_info
    std::uint64_t callFile = 0;
    std::uint64_t callLine = 0;
    std::uint64_t callColumn = 0;
    std::uint32_t around = kNone; ///< the one that it was inlined into
};

/// Addresses in one function have the functions around it in common.
struct Scopes {
    std::vector<Scope> all;
    std::vector<std::uint32_t> innermost; ///< by address; kNone where nothing is known
};

/// @param addresses in ascending order @param rows their lines @param bytes of the unit
Scopes scopesOf(const Unit &unit, std::span<const std::uint8_t> bytes, const Abbreviations &abbreviations,
                Reader &reader, std::span<const std::uint64_t> addresses, std::span<const Row> rows);

struct FunctionName {
    SharedText name;        ///< as in the source
    SharedText linkage;     ///< as the linker knows it
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
    struct SourceName {
        SharedText linkage; ///< has the bytes of the key
        SharedText name;
    };

    Cursor cursorAt(std::uint64_t entry);
    const Abbreviations &abbreviationsOf(const Unit &unit);
    FunctionName read(std::uint64_t entry, int hops);
    SharedText text(const Value &value, const Unit &unit);
    const SharedText &textAt(std::uint64_t offset);
    const SharedText &sourceNameOf(const SharedText &linkage);

    const Sections &m_sections;
    const std::span<const Unit> m_units;
    FunctionNames *m_supplement = nullptr;
    Reader m_reader;
    SectionWindow m_info;
    std::uint64_t m_unitBegin = 0;
    std::span<const std::uint8_t> m_unitBytes;
    std::unordered_map<std::uint64_t, std::unique_ptr<Abbreviations>> m_abbreviations;
    std::unordered_map<std::uint64_t, FunctionName> m_names;
    // Units have many functions in common, of which linkers keep each text once.
    std::unordered_map<std::uint64_t, SharedText> m_texts; ///< by place in .debug_str
    std::unordered_map<std::string_view, SourceName> m_sourceNames;
};

} // namespace hearth::dwarf
