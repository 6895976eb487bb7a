#pragma once

#include "ingest/elf/dwarf/sections.h"
#include "ingest/elf/section_window.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace hearth::dwarf {

struct AttributeSpec {
    std::uint16_t name = 0;
    std::uint16_t form = 0;
    std::int64_t implicit = 0; ///< the value itself, of kFormImplicit
};

/// What the entries with one code look like.
struct Abbreviation {
    static constexpr std::uint16_t kVaries = 0xffff;

    std::uint16_t tag = 0;
    bool hasChildren = false;
    std::uint16_t size = kVaries;      ///< in bytes, of all attributes together, if that is always the same
    std::uint16_t siblingAt = kVaries; ///< where among them the sibling is, as kFormReference4, if it is
    std::uint32_t begin = 0;           ///< of its attributes
    std::uint32_t count = 0;
};

struct Unit;

/// The abbreviations of a unit.
class Abbreviations {
public:
    /// @param lastCode reading stops behind it; 0 for all
    Abbreviations(const ByteRange &section, const Unit &unit, std::uint64_t lastCode = 0);

    /// @return null for a code that there is none of
    const Abbreviation *find(std::uint64_t code) const;
    std::span<const AttributeSpec> attributes(const Abbreviation &abbreviation) const
    {
        return std::span(m_attributes).subspan(abbreviation.begin, abbreviation.count);
    }

private:
    std::vector<Abbreviation> m_dense;                        ///< by code less one, as compilers count
    std::unordered_map<std::uint64_t, Abbreviation> m_sparse; ///< the others
    std::vector<AttributeSpec> m_attributes;
};

} // namespace hearth::dwarf
