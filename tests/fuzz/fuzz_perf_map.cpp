#include "ingest/symbols/jit_name.h"
#include "ingest/symbols/perf_map.h"

#include <cstdlib>

using namespace hearth;

/// A perf map, written on while it is read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    PerfMap map;
    const std::size_t taken = map.add(text.substr(0, size / 2));
    if (taken > size / 2 || map.add(text.substr(taken)) > size - taken)
        std::abort();
    for (const std::uint64_t address : {0x0ULL, 0x10ULL, 0x1000ULL, 0x7fff00001000ULL})
        if (const auto name = map.nameAt(address))
            (void)parseJitName(*name);
    return 0;
}
