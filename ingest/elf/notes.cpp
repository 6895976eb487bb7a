#include "ingest/elf/notes.h"

#include "ingest/bytes/text_codes.h"

#include <algorithm>

namespace hearth {

namespace {

constexpr std::size_t kHead = 12;
constexpr std::uint32_t kGnuBuildId = 3;
constexpr std::uint32_t kGoBuildId = 4;

/// Names and contents begin where four divides; the last one's padding may be missing.
std::span<const std::uint8_t> paddedBytes(Cursor &cursor, std::uint32_t size)
{
    const auto bytes = cursor.bytes(size);
    const std::uint64_t padding = ((std::uint64_t(size) + 3) & ~std::uint64_t(3)) - size;
    cursor.skip(std::min<std::uint64_t>(padding, cursor.left()));
    return bytes;
}

} // namespace

std::optional<ElfNote> nextNote(Cursor &cursor)
{
    if (cursor.left() < kHead)
        return std::nullopt;
    const std::uint32_t nameSize = cursor.u32();
    const std::uint32_t contentSize = cursor.u32();
    ElfNote note{.owner = {}, .type = cursor.u32(), .content = {}};
    const auto name = paddedBytes(cursor, nameSize);
    note.content = paddedBytes(cursor, contentSize);
    if (!cursor.isGood())
        return std::nullopt;
    note.owner = {reinterpret_cast<const char *>(name.data()), name.size()};
    while (note.owner.ends_with('\0'))
        note.owner.remove_suffix(1);
    return note;
}

std::optional<std::string> gnuBuildId(const ElfNote &note)
{
    return note.owner == "GNU" && note.type == kGnuBuildId ? std::optional(hexOf(note.content))
                                                           : std::nullopt;
}

std::optional<std::string> goBuildId(const ElfNote &note)
{
    return note.owner == "Go" && note.type == kGoBuildId
               ? std::optional(std::string(note.content.begin(), note.content.end()))
               : std::nullopt;
}

} // namespace hearth
