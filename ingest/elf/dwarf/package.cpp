#include "ingest/elf/dwarf/package.h"

#include "ingest/elf/cursor.h"

#include <array>

// Chapter 7.3.5 of DWARF 5, and what GNU had before it as version 2. The index is
//
//   u32 version (5: u16 and u16 0), columns, units, slots; slots × u64 unit's id; slots × u32 row, from 1 on;
//   columns × u32 which section; units × columns × u32 offset; the same of sizes

namespace hearth::dwarf {

namespace {

constexpr std::uint64_t kMostIndex = std::uint64_t(64) << 20;
constexpr std::uint64_t kHead = 16;

enum SectionId : std::uint32_t { kInfo = 1, kAbbreviations = 3, kStringOffsets = 6, kRangeLists = 8 };

struct Index {
    std::vector<std::uint8_t> bytes;
    std::uint32_t version = 0;
    std::uint64_t columns = 0;
    std::uint64_t units = 0;
    std::uint64_t slots = 0;

    std::uint64_t number(std::uint64_t place, unsigned size) const
    {
        Cursor cursor(bytes);
        cursor.seek(place);
        return cursor.unsignedOf(size);
    }
    std::uint64_t idOf(std::uint64_t slot) const { return number(kHead + slot * 8, 8); }
    std::uint64_t rowOf(std::uint64_t slot) const { return number(kHead + slots * 8 + slot * 4, 4); }
    /// Behind the table of slots: first the sections' row, then those of offsets, then those of sizes.
    std::uint64_t cell(std::uint64_t row, std::uint64_t column) const
    {
        return number(kHead + slots * 12 + (row * columns + column) * 4, 4);
    }
};

std::optional<Index> readIndex(const ElfFile &package)
{
    const ByteRange section = package.content(".debug_cu_index");
    if (section.size() < kHead || section.size() > kMostIndex)
        return std::nullopt;
    auto bytes = section.read(0, section.size());
    if (!bytes)
        return std::nullopt;
    Index index{.bytes = std::move(*bytes)};
    index.version = static_cast<std::uint32_t>(index.number(0, 2));
    index.columns = index.number(4, 4);
    index.units = index.number(8, 4);
    index.slots = index.number(12, 4);
    const bool isKnown = index.version == 2 || index.version == 5;
    const bool isPowerOfTwo = index.slots != 0 && (index.slots & (index.slots - 1)) == 0;
    constexpr std::uint64_t kMostColumns = 64;
    const bool isWhole =
        index.columns <= kMostColumns && index.slots <= section.size() / 12 &&
        index.units <= section.size() / 8 &&
        kHead + index.slots * 12 + (2 * index.units + 1) * index.columns * 4 <= section.size();
    return isKnown && isPowerOfTwo && isWhole ? std::optional(std::move(index)) : std::nullopt;
}

/// @return from 1 on; nothing if the unit is not in it
std::optional<std::uint64_t> findRow(const Index &index, std::uint64_t dwoId)
{
    const std::uint64_t mask = index.slots - 1;
    const std::uint64_t step = ((dwoId >> 32) & mask) | 1;
    std::uint64_t slot = dwoId & mask;
    for (std::uint64_t tried = 0; tried < index.slots; ++tried, slot = (slot + step) & mask) {
        const std::uint64_t row = index.rowOf(slot);
        if (row == 0)
            return std::nullopt;
        if (index.idOf(slot) == dwoId)
            return row <= index.units ? std::optional(row) : std::nullopt;
    }
    return std::nullopt;
}

} // namespace

std::optional<Sections> sectionsInPackage(const ElfFile &package, std::uint64_t dwoId)
{
    const auto index = readIndex(package);
    const auto row = index ? findRow(*index, dwoId) : std::nullopt;
    if (!row)
        return std::nullopt;
    Sections sections = Sections::ofSplit(package);
    for (std::uint64_t column = 0; column < index->columns; ++column) {
        const std::uint64_t offset = index->cell(*row, column);
        const std::uint64_t size = index->cell(index->units + *row, column);
        const std::uint64_t id = index->cell(0, column);
        ByteRange *const section = id == kInfo                                ? &sections.info
                                   : id == kAbbreviations                     ? &sections.abbreviations
                                   : id == kStringOffsets                     ? &sections.stringOffsets
                                   : id == kRangeLists && index->version == 5 ? &sections.rangeLists
                                                                              : nullptr;
        if (section != nullptr)
            *section = section->part(offset, size);
    }
    return sections;
}

} // namespace hearth::dwarf
