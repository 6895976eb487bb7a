#include "agent/process/thread_context.h"
#include "ingest/unwind/unwind_table.h"

#include <algorithm>
#include <cstdlib>

using namespace hearth;
using namespace hearth::agent;

/// Whatever an ELF file holds: no crash, and its rows are in order.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto file = ElfFile::of(ByteRange::ofMemory({data, data + size}), "fuzzed");
    if (!file)
        return 0;
    RuleBook book;
    const UnwindTable table = unwindTableOf(**file, book);
    if (!std::ranges::is_sorted(table.rows, {}, &UnwindRow::place))
        std::abort();
    (void)threadContextVariable(**file, ExportedSymbols(**file));
    return 0;
}
