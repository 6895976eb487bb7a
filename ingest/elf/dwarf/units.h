#pragma once

#include "ingest/elf/dwarf/abbreviations.h"
#include "ingest/elf/dwarf/sections.h"
#include "ingest/elf/section_window.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::dwarf {

struct AddressRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// How the bytes of a unit are to be read, and what its root entry says of it.
struct Unit {
    std::uint64_t offset = 0;  ///< of its header in .debug_info
    std::uint64_t size = 0;    ///< with the header
    std::uint64_t entries = 0; ///< of the root entry, from the unit's begin
    std::uint16_t version = 0;
    std::uint8_t type = 0;
    std::uint8_t addressSize = 8;
    std::uint8_t offsetSize = 4; ///< 8 in the 64-bit format
    std::uint64_t abbreviations = 0;
    std::uint64_t dwoId = 0;

    std::uint64_t lowPc = 0;
    std::uint64_t stringOffsetsBase = 0;
    std::uint64_t addressBase = 0;
    std::uint64_t rangeListsBase = 0;
    std::uint64_t rangesBase = 0;      ///< what offsets into .debug_ranges count from
    std::uint64_t splitRangesBase = 0; ///< the same for the rest of a skeleton, as GNU splits
    std::optional<std::uint64_t> lineProgram;
    std::string folder;  ///< where the compiler ran
    std::string dwoName; ///< of a skeleton: the file that has the rest
};

/// The value of an attribute, as far as it is needed.
struct Value {
    enum class Kind : std::uint8_t {
        None,
        Number,
        Address,
        AddressIndex,
        Text,         ///< in `text`
        StringOffset, ///< in .debug_str
        LineString,   ///< in .debug_line_str
        StringIndex,  ///< by .debug_str_offsets
        SupplementString,
        Reference, ///< to an entry, from the begin of .debug_info
        SupplementReference,
        RangeListIndex,
        Other,
    };
    Kind kind = Kind::None;
    std::uint64_t number = 0;
    std::string_view text; ///< in the bytes that were read
};

/// Reads the value that stands at the cursor.
Value readValue(Cursor &cursor, const AttributeSpec &spec, const Unit &unit);
/// How many bytes a value takes; nothing if that depends on the value.
std::optional<unsigned> fixedSize(std::uint16_t form, const Unit &unit);
/// Steps over it.
void skipValue(Cursor &cursor, std::uint16_t form, const Unit &unit);

/// One file's debug information as far as it is read piece by piece: strings, addresses, ranges. Of one
/// thread.
class Reader {
public:
    /// @param main has the addresses, and until DWARF 4 the ranges; the same as `sections` unless those are
    /// split
    Reader(const Sections &sections, const Sections &main);

    std::string text(const Value &value, const Unit &unit);
    /// Where in .debug_str the text is; nothing if it is elsewhere.
    std::optional<std::uint64_t> stringOffset(const Value &value, const Unit &unit);
    std::uint64_t address(const Value &value, const Unit &unit);
    /// What kRanges means. Valid until the next call.
    std::span<const AddressRange> ranges(const Value &value, const Unit &unit);

private:
    void readListed(const Value &value, const Unit &unit);
    std::uint64_t addressAt(std::uint64_t index, const Unit &unit);
    void readOldRanges(std::uint64_t offset, const Unit &unit);
    void readRangeList(std::uint64_t offset, const Unit &unit);

    const Sections &m_sections;
    SectionWindow m_stringOffsets;
    SectionWindow m_addresses;
    SectionWindow m_ranges;
    SectionWindow m_rangeLists;
    std::vector<AddressRange> m_found;
    std::size_t m_rangesRead = 0;
};

/// All units, in order, with their root entries read. Type units are left out.
std::vector<Unit> readUnits(const Sections &sections, const Sections &main,
                            std::vector<std::vector<AddressRange>> *ranges);

} // namespace hearth::dwarf
