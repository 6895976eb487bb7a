#include "agent/symbols/kernel_symbols.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <utility>

namespace hearth::agent {

namespace {

constexpr std::string_view kKernel = "vmlinux";
constexpr std::uint64_t kFirstKernelAddress = std::uint64_t(1) << 63;
/// Behind the last symbol there is none that says where it ends.
constexpr std::uint64_t kLargestFunction = std::uint64_t(1) << 20;

} // namespace

KernelSymbols KernelSymbols::read()
{
    KernelSymbols symbols;
    std::ifstream file("/proc/kallsyms");
    for (std::string line; std::getline(file, line);)
        symbols.addLine(line);
    symbols.sort();
    return symbols;
}

KernelSymbols KernelSymbols::parse(std::string_view text)
{
    KernelSymbols symbols;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        symbols.addLine(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    symbols.sort();
    return symbols;
}

/// Of several names of an address the one that came first stays first.
void KernelSymbols::sort()
{
    std::ranges::sort(m_symbols, {}, [](const Symbol &each) { return std::pair(each.address, each.name); });
}

/// `address type name`, and behind a tab `[module]`.
void KernelSymbols::addLine(std::string_view line)
{
    std::uint64_t address = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), address, 16);
    if (error != std::errc() || address < kFirstKernelAddress)
        return;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (line.size() < 4 || line[0] != ' ' || line[2] != ' ' ||
        std::string_view("tTwW").find(line[1]) == std::string_view::npos)
        return;
    line.remove_prefix(3);
    const std::size_t nameEnd = std::min(line.find_first_of("\t "), line.size());
    std::string_view module = kKernel;
    if (const std::size_t bracket = line.find('[', nameEnd); bracket != std::string_view::npos)
        module = line.substr(bracket + 1, line.find(']', bracket) - bracket - 1);
    m_symbols.push_back({.address = address,
                         .name = static_cast<std::uint32_t>(m_names.size()),
                         .module = moduleOf(module, address)});
    m_names.append(line.substr(0, nameEnd)).push_back('\0');
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
    const auto behind = std::ranges::upper_bound(m_symbols, address, {}, &Symbol::address);
    if (behind == m_symbols.begin())
        return std::nullopt;
    // Of several names of an address the first is the one that the kernel was given first.
    const std::uint64_t begin = std::prev(behind)->address;
    if (address - begin > kLargestFunction)
        return std::nullopt;
    const auto symbol = std::ranges::lower_bound(m_symbols.begin(), behind, begin, {}, &Symbol::address);
    const Module &module = m_modules[symbol->module];
    return KernelFunction{.name = m_names.data() + symbol->name, .module = module.name, .base = module.base};
}

} // namespace hearth::agent
