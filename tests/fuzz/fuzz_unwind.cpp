#include "agent/unwind/unwind_table.h"

#include <algorithm>
#include <cstdlib>

using namespace hearth::agent;

/// Whatever an ELF file holds: no crash, and its rows are in order.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto image = ElfImage::open(bytesOfMemory({data, data + size}));
    if (!image)
        return 0;
    RuleBook book;
    const UnwindTable table = unwindTableOf(*image, book);
    if (!std::ranges::is_sorted(table.rows, {}, &UnwindRow::place))
        std::abort();
    (void)image->gnuBuildId();
    (void)image->goBuildId();
    return 0;
}
