#include "ingest/elf/go/go_header.h"

#include "ingest/elf/cursor.h"

#include <algorithm>
#include <array>

// Go's debug/gosym/pclntab.go, "Go 1.2 Runtime Symbol Table", and runtime/symtab.go of Go 1.16 to 1.26:
//
//   u32 magic, u16 0, u8 instruction size, u8 pointer size, then numbers of the pointer's size:
//   Go 1.2    functions; the table of functions stands here
//   Go 1.16   functions, files, and the begins of names, units' files, files, values, functions
//   Go 1.18   functions, files, begin of code, and the same begins

namespace hearth::go {

namespace {

constexpr std::size_t kMostHead = 8 + 8 * 8;

std::optional<Layout> layoutOf(std::uint32_t magic)
{
    switch (magic) {
    case 0xfffffffb:
        return Layout::Go2;
    case 0xfffffffa:
        return Layout::Go16;
    case 0xfffffff0:
        return Layout::Go18;
    case 0xfffffff1:
        return Layout::Go20;
    default:
        return std::nullopt;
    }
}

void readParts(Cursor &cursor, const ByteRange &table, Header &header)
{
    const auto word = [&] { return cursor.unsignedOf(header.pointerSize); };
    header.functionCount = word();
    if (header.layout == Layout::Go2) {
        header.functionTable = cursor.position();
        const std::uint64_t end = header.functionTable + (2 * header.functionCount + 1) * header.pointerSize;
        std::array<std::uint8_t, 4> place{};
        header.files = Cursor(table.filled(end, place), header.byteOrder).u32();
        return;
    }
    word(); // files
    if (header.layout >= Layout::Go18)
        header.textStart = word();
    for (std::uint64_t *const part : {&header.names, &header.unitFiles, &header.files, &header.values})
        *part = word();
    header.functionTable = header.records = word();
}

} // namespace

std::optional<Header> readHeader(const ByteRange &table)
{
    std::array<std::uint8_t, kMostHead> head{};
    const auto bytes = table.filled(0, head);
    Header header;
    std::optional<Layout> layout;
    for (const std::endian order : {std::endian::little, std::endian::big}) {
        if (!layout)
            header.byteOrder = order;
        if (!layout)
            layout = layoutOf(Cursor(bytes, order).u32());
    }
    if (!layout)
        return std::nullopt;
    header.layout = *layout;
    Cursor cursor(bytes, header.byteOrder);
    cursor.skip(4);
    const std::uint16_t padding = cursor.u16();
    header.instructionSize = cursor.u8();
    header.pointerSize = cursor.u8();
    if (padding != 0 || (header.pointerSize != 4 && header.pointerSize != 8) ||
        (header.instructionSize != 1 && header.instructionSize != 2 && header.instructionSize != 4))
        return std::nullopt;
    readParts(cursor, table, header);
    const std::uint64_t most = table.size();
    const bool isWithin = std::ranges::all_of(
        std::array{header.functionTable, header.names, header.unitFiles, header.files, header.values},
        [&](std::uint64_t begin) { return begin <= most; });
    if (!cursor.isGood() || !isWithin || header.functionCount == 0 ||
        header.functionCount > (most - header.functionTable) / (2 * header.fieldSize()))
        return std::nullopt;
    return header;
}

} // namespace hearth::go
