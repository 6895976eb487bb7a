#pragma once

#include "model/code/disassembly.h"
#include "model/code/source_text.h"
#include "model/result.h"
#include "model/store/snapshot.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

/// A source file that is wanted.
struct SourceRequest {
    std::string path;               ///< as debug information or the sender names it
    std::optional<BinaryId> binary; ///< that was made of it
};

/// A source file, or why there is none.
struct SourceFound {
    std::shared_ptr<const SourceText> text; ///< null: it was not found, or cannot be read
    std::string path;                       ///< that was read
    std::string problem;                    ///< why nothing was; or what is odd about what was
    std::vector<std::string> tried;         ///< where it was looked for
    bool canBeFetched = false;              ///< servers could be asked for it by the binary's build id
};

/// Reads what the code of a data set's functions looks like. Takes as long as disks and networks do; any
/// thread, one caller at a time.
class CodeReader {
public:
    CodeReader() = default;
    CodeReader(const CodeReader &) = delete;
    CodeReader &operator=(const CodeReader &) = delete;
    virtual ~CodeReader() = default;

    /// The functions that places of a binary are in, each once, by their begin. @param offsets in its file
    virtual Result<std::vector<CodeExtent>> extentsOf(const Snapshot &snapshot, BinaryId binary,
                                                      std::span<const std::uint64_t> offsets) = 0;
    virtual Result<Disassembly> disassemble(const Snapshot &snapshot, const CodeExtent &extent,
                                            AssemblySyntax syntax, const std::stop_token &stop) = 0;
    virtual SourceFound findSource(const Snapshot &snapshot, const SourceRequest &request,
                                   const std::stop_token &stop) = 0;
};

} // namespace hearth
