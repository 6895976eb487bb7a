#include "agent/process/proc_files.h"
#include "agent/process/process_events.h"
#include "agent/symbols/demangle.h"
#include "agent/symbols/kernel_symbols.h"
#include "agent/symbols/symbol_table.h"
#include "ingest/symbols/jit_name.h"
#include "ingest/symbols/perf_map.h"

#include <cstdlib>
#include <string_view>

using namespace hearth::agent;

/// What processes and the kernel tell of themselves, whatever it is: no crash, and bounds are kept.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
    switch (data[0] % 6) {
    case 0:
        if (parseMaps(text).size() > kMostMappings)
            std::abort();
        break;
    case 1:
        (void)KernelSymbols::parse(text).find(0xffffffff81000000);
        break;
    case 2: {
        PerfMap map;
        if (map.add(text) > text.size())
            std::abort();
        (void)map.nameAt(0x1000);
        break;
    }
    case 3:
        (void)parseJitName(text);
        (void)containerId(text);
        break;
    case 4: {
        ProcessEvent event;
        (void)parseProcessEvent({data + 1, data + size}, event);
        break;
    }
    default:
        if (const auto image = ElfImage::open(bytesOfMemory({data + 1, data + size})))
            if (const auto name = SymbolTable::read(*image, nullptr).nameAt(0x1000))
                (void)demangled(*name);
    }
    return 0;
}
