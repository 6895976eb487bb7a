#include "tests/fuzz/read_format.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    return hearth::fuzz::readFormat(hearth::kCallgrind, data, size);
}
