#include "ingest/symbols/vdso.h"

#include <fstream>
#include <string>

namespace hearth {

std::shared_ptr<const ElfFile> vdsoOfThisMachine()
{
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (!line.ends_with("[vdso]"))
            continue;
        const std::size_t dash = line.find('-');
        const std::uintptr_t begin = std::stoull(line.substr(0, dash), nullptr, 16);
        const std::uintptr_t end = std::stoull(line.substr(dash + 1), nullptr, 16);
        const auto *const bytes = reinterpret_cast<const std::uint8_t *>(begin);
        return ElfFile::of(ByteRange::ofMemory({bytes, bytes + (end - begin)}), "[vdso]").value_or(nullptr);
    }
    return nullptr;
}

} // namespace hearth
