#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::agent {

/// A function of the kernel, and the module that it is in: "vmlinux" for the kernel itself.
struct KernelFunction {
    std::string_view name;
    std::string_view module;
    std::uint64_t base = 0; ///< where the module's code begins
};

/// The kernel's functions by address, from the text of /proc/kallsyms.
class KernelSymbols {
public:
    /// Reads what this kernel says. Without the capability to see addresses it says nothing.
    static KernelSymbols read();
    static KernelSymbols parse(std::string_view text);

    std::optional<KernelFunction> find(std::uint64_t address) const;
    bool isEmpty() const { return m_symbols.empty(); }

private:
    struct Symbol {
        std::uint64_t address = 0;
        std::uint32_t name = 0; ///< where in the text
        std::uint32_t module = 0;
    };
    struct Module {
        std::string name;
        std::uint64_t base = 0;
    };

    void sort();
    void addLine(std::string_view line);
    std::uint32_t moduleOf(std::string_view name, std::uint64_t address);

    std::string m_names; ///< each ended by a zero
    std::vector<Symbol> m_symbols;
    std::vector<Module> m_modules;
};

} // namespace hearth::agent
