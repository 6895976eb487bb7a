#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// A function of the kernel, and the module that it is in: "vmlinux" for the kernel itself.
struct KernelFunction {
    std::string_view name; ///< as long as the symbols it is from
    std::string_view module;
    std::uint64_t base = 0; ///< where the module's code begins
};

/// The functions of the kernel that runs here, with its modules and BPF programs.
class KernelSymbols {
public:
    /// Empty where the kernel does not tell (kptr_restrict).
    static KernelSymbols ofThisMachine();
    /// @param kallsyms as /proc/kallsyms prints it
    explicit KernelSymbols(std::istream &kallsyms);

    bool isEmpty() const { return m_symbols.empty(); }
    /// @param address in memory, or from the begin of the kernel's code
    std::optional<KernelFunction> find(std::uint64_t address) const;

private:
    struct Symbol {
        std::uint64_t address = 0;
        std::uint32_t name = 0; ///< where in m_names
        std::uint32_t module = 0;
    };
    struct Module {
        std::string name;
        std::uint64_t base = 0;
    };

    void addLine(std::string_view line);
    std::uint32_t moduleOf(std::string_view name, std::uint64_t address);

    std::vector<Symbol> m_symbols;
    std::vector<Module> m_modules;
    std::string m_names; ///< each with a zero behind it
    std::uint64_t m_textBegin = 0;
};

/// In hex; empty if the kernel does not tell.
std::string kernelBuildId();

/// When the machine was started: where the kernel lay before, nobody knows.
std::int64_t bootTimeNs();

} // namespace hearth
