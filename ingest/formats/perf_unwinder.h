#pragma once

#include "ingest/formats/perf_event.h"
#include "ingest/formats/perf_processes.h"
#include "ingest/symbols/program_finder.h"
#include "ingest/unwind/rule_book.h"
#include "ingest/unwind/unwind_table.h"
#include "ingest/unwind/walker.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hearth::perf {

/// Walks copies of stacks, as `perf record --call-graph dwarf` makes them, by what the files of binaries on
/// this machine say of their frames. Build ids come last in a recording, so that of each binary the file at
/// its path is taken, and those of other builds are found out in the end.
class Unwinder {
public:
    /// @param folders with files that are elsewhere than they were
    Unwinder(ProfileBuilder &builder, std::vector<std::string> folders);

    /// Appends the user's frames to a sample's chain, as the kernel does where it walks itself.
    void walk(const AddressSpace &space, Sample &sample);
    /// Says which stacks are not whole, and why.
    void finish();

private:
    struct Image {
        bool isKnown = false;
        std::shared_ptr<const ElfFile> file; ///< null if there is none
        UnwindTable table;
        std::uint64_t misses = 0; ///< walks that ended here for lack of it
    };

    UnwindRule ruleAt(const AddressSpace &space, std::uint64_t address);
    Image &imageOf(const MappedBinary &binary);
    void count(const Walk &walk, const AddressSpace &space);

    ProfileBuilder &m_builder;
    std::vector<std::string> m_folders;
    std::unique_ptr<ProgramFinder> m_finder; ///< looks into the folders when the first file is needed
    RuleBook m_book;
    std::vector<Image> m_images; ///< by binary
    std::array<std::uint64_t, kStopCount> m_stops{};
};

} // namespace hearth::perf
