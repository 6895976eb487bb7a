#include "ingest/symbols/kernel_symbols.h"

#include "ingest/elf/notes.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <span>
#include <tuple>

namespace hearth {

namespace {

constexpr std::string_view kKernel = "vmlinux";
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
    std::ifstream file("/proc/kallsyms");
    return KernelSymbols(file);
}

KernelSymbols::KernelSymbols(std::istream &kallsyms)
{
    for (std::string line; std::getline(kallsyms, line);)
        addLine(line);
    // Of several names of an address the one that came first is the first.
    std::ranges::sort(m_symbols, {}, [](const Symbol &each) { return std::tuple(each.address, each.name); });
    m_symbols.shrink_to_fit();
    m_names.shrink_to_fit();
}

/// "ffffffff81000000 T _stext", and "\t[module]" behind those of modules.
void KernelSymbols::addLine(std::string_view line)
{
    std::uint64_t address = 0;
    const auto [after, error] = std::from_chars(line.data(), line.data() + line.size(), address, 16);
    const auto type = static_cast<std::size_t>(after - line.data()) + 1;
    if (error != std::errc() || type + 2 >= line.size() || address < kKernelHalf ||
        std::string_view("tTwW").find(line[type]) == std::string_view::npos)
        return;
    line.remove_prefix(type + 2);
    const std::size_t nameEnd = std::min(line.find_first_of("\t "), line.size());
    std::string_view module = kKernel;
    if (const std::size_t bracket = line.find('[', nameEnd); bracket != std::string_view::npos)
        module = line.substr(bracket + 1, line.find(']', bracket) - bracket - 1);
    const std::string_view name = line.substr(0, nameEnd);
    if (name == "_stext")
        m_textBegin = address;
    m_symbols.push_back({.address = address,
                         .name = static_cast<std::uint32_t>(m_names.size()),
                         .module = moduleOf(module, address)});
    m_names.append(name).push_back('\0');
}

std::uint32_t KernelSymbols::moduleOf(std::string_view name, std::uint64_t address)
{
    // Symbols of a module follow one another, so the last one is most often it.
    auto known = std::ranges::find(m_modules.rbegin(), m_modules.rend(), name, &Module::name);
    if (known == m_modules.rend()) {
        m_modules.push_back({.name = std::string(name), .base = address});
        known = m_modules.rbegin();
    }
    known->base = std::min(known->base, address);
    return static_cast<std::uint32_t>(m_modules.rend() - known - 1);
}

std::optional<KernelFunction> KernelSymbols::find(std::uint64_t address) const
{
    const std::uint64_t inMemory = address >= kKernelHalf ? address : m_textBegin + address;
    const auto behind = std::ranges::upper_bound(m_symbols, inMemory, {}, &Symbol::address);
    if (behind == m_symbols.begin())
        return std::nullopt;
    const std::uint64_t begin = std::prev(behind)->address;
    if (inMemory - begin > kLongestFunction)
        return std::nullopt;
    const auto symbol = std::ranges::lower_bound(m_symbols.begin(), behind, begin, {}, &Symbol::address);
    const Module &module = m_modules[symbol->module];
    return KernelFunction{.name = m_names.c_str() + symbol->name, .module = module.name, .base = module.base};
}

std::string kernelBuildId()
{
    const std::string notes = contentOf("/sys/kernel/notes");
    Cursor cursor(std::span(reinterpret_cast<const std::uint8_t *>(notes.data()), notes.size()));
    while (const auto note = nextNote(cursor))
        if (const auto buildId = gnuBuildId(*note))
            return *buildId;
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
