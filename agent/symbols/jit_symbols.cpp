#include "agent/symbols/jit_symbols.h"

#include "agent/session/clock.h"

#include <algorithm>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostBytes = std::size_t(64) << 20; ///< that all processes together may tell

JitName nameOf(const JitDump::Found &found)
{
    JitName name = parseJitName(found.name);
    if (!found.file.empty()) {
        name.file = found.file;
        name.line = found.line;
    }
    return name;
}

} // namespace

std::size_t JitSymbols::Files::bytes() const
{
    return (map ? map->map().bytes() : 0) + (dump ? dump->dump().bytes() : 0);
}

std::optional<JitName> JitSymbols::nameAt(const Process &process, std::uint64_t address, std::uint64_t timeNs)
{
    const auto [known, isNew] = m_files.try_emplace(process.number);
    Files &files = known->second;
    if (isNew)
        files.map.emplace(process.number);
    if (!files.map)
        return std::nullopt;
    m_bytes -= files.bytes();
    readOn(files, process, timeNs);
    m_bytes += files.bytes();
    if (m_bytes > kMostBytes)
        refuseLargest();
    if (const auto found = files.dump ? files.dump->dump().find(address, timeNs) : std::nullopt)
        return nameOf(*found);
    const auto name = files.map ? files.map->map().nameAt(address) : std::nullopt;
    return name ? std::optional(parseJitName(*name)) : std::nullopt;
}

void JitSymbols::readOn(Files &files, const Process &process, std::uint64_t timeNs)
{
    const std::uint64_t now = monotonicNow();
    files.map->readOn(now);
    if (files.version != process.version) {
        files.version = process.version;
        const auto mapped =
            std::ranges::find_if(process.code, [](const auto &code) { return isJitDumpPath(code->path); });
        if (mapped != process.code.end() && !(files.dump && files.dump->path() == (*mapped)->path))
            files.dump.emplace(process.number, (*mapped)->path);
    }
    if (files.dump)
        files.dump->readOn(now, timeNs);
}

/// Many processes could tell so much that there is no room for it. The one that tells most has no names then.
void JitSymbols::refuseLargest()
{
    Files &largest =
        std::ranges::max_element(m_files, {}, [](const auto &each) { return each.second.bytes(); })->second;
    m_bytes -= largest.bytes();
    largest.map.reset();
    largest.dump.reset();
}

void JitSymbols::forget(std::uint32_t process)
{
    const auto known = m_files.find(process);
    if (known == m_files.end())
        return;
    m_bytes -= known->second.bytes();
    m_files.erase(known);
}

} // namespace hearth::agent
