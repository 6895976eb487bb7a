#include "ingest/symbols/jitdump.h"

using namespace hearth;

/// A jitdump, written on while it is read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    JitDump dump;
    (void)dump.readOn(ByteRange::ofMemory({data, data + size / 2}));
    (void)dump.readOn(ByteRange::ofMemory({data, data + size}));
    for (const std::uint64_t address : {0x0ULL, 0x10ULL, 0x1000ULL, 0x7fff00001000ULL})
        for (const std::uint64_t time : {std::uint64_t(0), std::uint64_t(1) << 40, ~std::uint64_t(0)})
            (void)dump.find(address, time);
    return 0;
}
