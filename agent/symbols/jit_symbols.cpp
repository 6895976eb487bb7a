#include "agent/symbols/jit_symbols.h"

#include "agent/session/clock.h"

namespace hearth::agent {

std::optional<JitName> JitSymbols::nameAt(std::uint32_t process, std::uint64_t address)
{
    PerfMapFile &file = m_files.try_emplace(process, process).first->second;
    file.readOn(monotonicNow());
    const auto name = file.map().nameAt(address);
    return name ? std::optional(parseJitName(*name)) : std::nullopt;
}

} // namespace hearth::agent
