#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hearth {

/// The functions of the kernel that runs here, with its modules and BPF programs.
class KernelSymbols {
public:
    /// Empty where the kernel does not tell (kptr_restrict).
    static KernelSymbols ofThisMachine();
    /// @param kallsyms as /proc/kallsyms prints it
    explicit KernelSymbols(const std::string &kallsyms);

    bool isEmpty() const { return m_symbols.empty(); }
    /// @param address in memory, or from the begin of the kernel's code
    std::optional<std::string> find(std::uint64_t address) const;

private:
    struct Symbol {
        std::uint64_t address = 0;
        std::uint32_t name = 0;
    };

    std::vector<Symbol> m_symbols;
    std::string m_names; ///< each with a zero behind it
    std::uint64_t m_textBegin = 0;
};

/// In hex; empty if the kernel does not tell.
std::string kernelBuildId();

/// When the machine was started: where the kernel lay before, nobody knows.
std::int64_t bootTimeNs();

} // namespace hearth
