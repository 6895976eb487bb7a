#pragma once

#include "ingest/elf/elf_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hearth::agent {

/// The functions of a Go program, by the table that its runtime needs, which stripping leaves. The names stay
/// in the file until they are asked for.
class GoFunctions {
public:
    explicit GoFunctions(std::shared_ptr<const ElfFile> file);

    std::optional<std::string> nameAt(std::uint64_t address) const;

private:
    struct Function {
        std::uint64_t begin = 0;
        std::uint32_t size = 0;
        std::uint32_t name = 0; ///< in m_names
    };

    std::shared_ptr<const ElfFile> m_file;
    ByteRange m_names;
    std::vector<Function> m_functions; ///< by address
};

} // namespace hearth::agent
