#include "ingest/symbols/kernel_symbols.h"

#include "ingest/bytes/text_codes.h"
#include "ingest/elf/cursor.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>

namespace hearth {

namespace {

constexpr std::uint64_t kKernelHalf = 0xffff'8000'0000'0000;
constexpr std::uint64_t kLongestFunction = 1 << 20; ///< beyond the last symbol of a region there is nothing

std::string contentOf(const char *path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

KernelSymbols KernelSymbols::ofThisMachine()
{
    return KernelSymbols(contentOf("/proc/kallsyms"));
}

/// "ffffffff81000000 T _stext", and "\t[module]" behind those of modules.
KernelSymbols::KernelSymbols(const std::string &kallsyms)
{
    for (std::size_t begin = 0; begin < kallsyms.size();) {
        const std::size_t end = std::min(kallsyms.find('\n', begin), kallsyms.size());
        const std::string_view line(kallsyms.data() + begin, end - begin);
        begin = end + 1;
        std::uint64_t address = 0;
        const auto [after, error] = std::from_chars(line.data(), line.data() + line.size(), address, 16);
        const auto type = static_cast<std::size_t>(after - line.data()) + 1;
        if (error != std::errc() || type + 2 >= line.size() || address == 0)
            continue;
        if (std::string_view("tTwW").find(line[type]) == std::string_view::npos)
            continue;
        std::string_view name = line.substr(type + 2);
        if (const std::size_t tab = name.find('\t'); tab != std::string_view::npos)
            name = name.substr(0, tab);
        if (name == "_stext")
            m_textBegin = address;
        m_symbols.push_back({address, static_cast<std::uint32_t>(m_names.size())});
        m_names.append(name).push_back('\0');
    }
    std::ranges::stable_sort(m_symbols, {}, &Symbol::address);
}

std::optional<std::string> KernelSymbols::find(std::uint64_t address) const
{
    const std::uint64_t inMemory = address >= kKernelHalf ? address : m_textBegin + address;
    const auto behind = std::ranges::upper_bound(m_symbols, inMemory, {}, &Symbol::address);
    if (behind == m_symbols.begin() || inMemory - std::prev(behind)->address > kLongestFunction)
        return std::nullopt;
    return std::string(m_names.c_str() + std::prev(behind)->name);
}

std::string kernelBuildId()
{
    const std::string notes = contentOf("/sys/kernel/notes");
    Cursor cursor(std::span(reinterpret_cast<const std::uint8_t *>(notes.data()), notes.size()));
    constexpr std::uint32_t kGnuBuildId = 3;
    while (cursor.left() >= 12) {
        const std::uint32_t nameSize = cursor.u32();
        const std::uint32_t size = cursor.u32();
        const std::uint32_t type = cursor.u32();
        const auto name = cursor.bytes((nameSize + 3U) & ~3U);
        const auto content = cursor.bytes((size + 3U) & ~3U);
        if (!cursor.isGood())
            break;
        if (type == kGnuBuildId && nameSize == 4 && std::equal(name.begin(), name.end(), "GNU"))
            return hexOf(content.first(size));
    }
    return {};
}

std::int64_t bootTimeNs()
{
    std::ifstream stat("/proc/stat");
    for (std::string word; stat >> word;)
        if (std::int64_t seconds = 0; word == "btime" && stat >> seconds)
            return seconds * 1'000'000'000;
    return 0;
}

} // namespace hearth
