#pragma once

#include "agent/export/profile.h"
#include "ingest/symbols/program_finder.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

namespace hearth::agent {

/// Names frames by debug information: with files, lines and what was inlined. Reading that takes its time, so
/// this has a thread of its own. A few programs' are kept.
class LineNamer {
public:
    /// Names what is unnamed, the binaries with most in the stacks first.
    /// @param isHurried others wait: what was not read yet is named by symbol tables only
    void name(Profile &profile, bool isHurried);

private:
    struct Known {
        std::shared_ptr<const ElfFile> file; ///< kept, so that its address is not used again
        std::unique_ptr<Program> program;
        bool hasLines = false;
        std::uint64_t lastUse = 0;
    };

    const Program &programOf(const UnnamedFrames &unnamed, bool isHurried);
    std::unique_ptr<Program> withLines(const UnnamedFrames &unnamed);
    void forgetOld();

    std::optional<ProgramFinder> m_finder;
    std::map<const ElfFile *, Known> m_known;
    std::uint64_t m_round = 0;
};

} // namespace hearth::agent
