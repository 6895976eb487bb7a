#pragma once

#include "ingest/elf/go/go_module.h"
#include "model/store/symbols.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace hearth {

/// What a Go program knows of its own functions, debug information or not: files, lines, and, since Go 1.18,
/// what was inlined. Costs memory by the number of functions. Any thread.
class GoTable {
public:
    /// @return null if it is no Go program
    static std::shared_ptr<const GoTable> of(const ElfFile &file);
    /// @return null if there is no table in it
    static std::shared_ptr<const GoTable> of(go::Module module);

    /// The chains of addresses, innermost first; empty outside of Go's functions.
    /// @param addresses the linker's, in ascending order
    /// @return less than all if stopped
    std::vector<std::vector<SymbolLine>> linesOf(std::span<const std::uint64_t> addresses,
                                                 const std::stop_token &stop = {}) const;

private:
    struct Function {
        std::uint64_t begin = 0;
        std::uint64_t record = 0; ///< from the begin of records
    };
    class Worker;

    explicit GoTable(go::Module module) : m_module(std::move(module)) {}
    bool readFunctions();

    go::Module m_module;
    std::vector<Function> m_functions; ///< by address; the last is where the one before it ends
};

} // namespace hearth
