#pragma once

#include "ingest/symbols/program.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace hearth::agent {

/// What a binary's own tables, or those of its debug file, call its code.
class BinaryNames {
public:
    explicit BinaryNames(const std::shared_ptr<const ElfFile> &file);

    /// Of an address of the file; empty if it has no name. Good until the next call.
    const std::vector<SymbolLine> &at(std::uint64_t address);

private:
    std::vector<SymbolLine> find(std::uint64_t address) const;

    std::shared_ptr<const ElfFile> m_file;
    Program m_program;
    std::unordered_map<std::uint64_t, std::vector<SymbolLine>> m_known; ///< by address
};

} // namespace hearth::agent
