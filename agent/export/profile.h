#pragma once

#include "ingest/symbols/identity.h"
#include "model/store/batch.h"
#include "model/store/symbols.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hearth::agent {

/// Frames of a binary that are still to be named by its debug information.
struct UnnamedFrames {
    std::shared_ptr<const ElfFile> file;
    BinaryIdentity identity;
    std::vector<std::pair<FrameId, std::uint64_t>> frames; ///< and their addresses in the file
    std::uint64_t weight = 0;                              ///< in so many places of stacks
};

/// Samples of a second or so, about to be sent.
struct Profile {
    Batch batch;
    std::vector<UnnamedFrames> unnamed;
    std::unordered_map<std::string, StringId> strings; ///< of the batch

    StringId string(std::string_view text);

    /// Gives a frame its functions, the innermost first. Names come from programs that need not mean well:
    /// control characters in them could mislead who reads them, and are replaced.
    void setChain(Frame &frame, std::span<const SymbolLine> chain);
};

/// The text without control characters.
std::string printable(std::string_view text);

} // namespace hearth::agent
