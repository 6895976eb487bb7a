#pragma once

#include "ingest/symbols/jit_name.h"
#include "ingest/symbols/perf_map.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

namespace hearth::agent {

/// Names of code that processes made while they ran, as far as they tell.
class JitSymbols {
public:
    std::optional<JitName> nameAt(std::uint32_t process, std::uint64_t address);

    void forget(std::uint32_t process) { m_files.erase(process); }

private:
    std::unordered_map<std::uint32_t, PerfMapFile> m_files;
};

} // namespace hearth::agent
