#include "ingest/formats/format.h"

using namespace hearth;

/// Any bytes, unpacked and read as whatever they look like.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    (void)recognise({data, size}, false);
    (void)readProfile(memorySource({data, size}),
                      {.name = "fuzz", .memoryBudget = std::size_t(64) << 20, .stop = {}, .progress = {}});
    return 0;
}
