#include "ingest/elf/go/go_table.h"

#include <array>

using namespace hearth;

/// A table of functions, its inlined calls, and files around it: no crash, no endless walk.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    constexpr std::uint64_t kText = 0x1000;
    const ByteRange bytes = ByteRange::ofMemory({data, data + size});
    if (const auto file = ElfFile::of(bytes, "it"))
        (void)GoTable::of(**file);
    const auto header = go::readHeader(bytes);
    if (!header)
        return 0;
    const auto table = GoTable::of(
        {.table = bytes, .header = *header, .text = kText, .functionData = bytes, .relocations = {}});
    if (table)
        (void)table->linesOf(
            std::array<std::uint64_t, 6>{0, kText, kText + 1, kText + 20, kText + 40, 1 << 20});
    return 0;
}
