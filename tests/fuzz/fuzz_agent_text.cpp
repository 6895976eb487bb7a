#include "agent/process/proc_files.h"
#include "agent/process/process_events.h"
#include "agent/python/line_table.h"
#include "agent/python/python_code.h"
#include "ingest/symbols/jit_name.h"
#include "ingest/symbols/kernel_symbols.h"
#include "ingest/symbols/perf_map.h"

#include <cstdlib>
#include <sstream>
#include <string_view>

using namespace hearth;
using namespace hearth::agent;

/// What processes and the kernel tell of themselves, whatever it is: no crash, and bounds are kept.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
    switch (data[0] % 7) {
    case 0:
        if (parseMaps(text).size() > kMostMappings)
            std::abort();
        break;
    case 1: {
        std::istringstream kallsyms{std::string(text)};
        (void)KernelSymbols(kallsyms).find(0xffffffff81000000);
        break;
    }
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
    case 5:
        for (std::uint32_t version = 6; version <= 14; ++version)
            (void)pythonLine(version, {data + 1, data + size}, 1, 1 << 20);
        (void)pythonText(data[0] * 0x01010101U, {data + 1, data + size});
        break;
    default:
        if (const auto file = ElfFile::of(ByteRange::ofMemory({data + 1, data + size}), "fuzzed"))
            (void)pythonBinary(**file, ExportedSymbols(**file), "python3.9");
    }
    return 0;
}
