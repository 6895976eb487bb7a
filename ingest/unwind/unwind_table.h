#pragma once

#include "ingest/elf/elf_file.h"
#include "ingest/unwind/rule_book.h"

#include <cstdint>
#include <vector>

namespace hearth {

/// How to unwind from any place of a program or library, as rows ordered by place.
struct UnwindTable {
    std::uint64_t base = 0; ///< the lowest address of what is loaded, which places are counted from
    std::vector<UnwindRow> rows;
    std::uint32_t unreadable = 0; ///< descriptions of functions that make no sense

    /// The number of the rule at an address of the file.
    std::uint16_t ruleAt(std::uint64_t address) const;
};

/// Compiles what the file says in .eh_frame, or in .debug_frame where it has nothing else. A file that says
/// nothing, or is of another machine, has a table without rows.
UnwindTable unwindTableOf(const ElfFile &file, RuleBook &book);

} // namespace hearth
