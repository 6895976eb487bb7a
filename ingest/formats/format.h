#pragma once

#include "ingest/bytes/input_stream.h"
#include "model/result.h"
#include "model/store/batch.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

struct ReadOptions {
    std::string name = "input";                 ///< what messages call the input
    std::size_t memoryBudget = ~std::size_t(0); ///< of the batch; reading stops there and says so
    bool wantsFindings = false;                 ///< Origin::findings; takes longer
    /// With programs and libraries that are elsewhere than they were: copies of stacks are unwound by them.
    std::vector<std::string> binaryFolders = {};
    std::stop_token stop = {};   ///< asks to give up: an error "cancelled"
    bool keepsCancelled = false; ///< then what was read is the result instead, and that it is not all a loss
    /// Gets what was read so far whenever that is much, and says how much memory is left; what is returned in
    /// the end goes on behind it. Without it all is one batch. Not every format comes in parts.
    std::function<std::size_t(Batch part)> takePart = {};
    std::size_t partBytes = std::size_t(32) << 20; ///< so much is much
    /// Gets a copy of what was read so far, of formats that are not done with anything before their end: to
    /// be looked at, and given up for the next.
    std::function<void(Batch soFar)> preview = {};
    /// Asked now and then whether somebody wants to see what was read: a part or a preview comes then.
    std::function<bool()> isLookDue = {};
    std::function<void(std::uint64_t unpackedBytes)> progress =
        {}; ///< called now and then, from the reading thread
};

/// A file format that Hearth reads.
struct Format {
    std::string_view name; ///< "pprof"
    /// Reads what can be read; faults of the stream become losses of the batch, unless nothing at all was
    /// readable.
    Result<Batch> (*read)(InputStream &input, const ReadOptions &options);
};

/// What the first bytes of an (unpacked) input look like.
struct Recognition {
    std::string_view name; ///< "pprof profile", "perf.data recording", "PNG image" …; empty if nothing known
    const Format *format = nullptr; ///< null if Hearth does not read it

    /// No profile, but a file of Hearth's that says which are open and how they are looked at.
    bool isWorkspace() const { return name == "workspace of Hearth"; }
};

/// Decides by content. `head` is the whole input if `isWhole`.
Recognition recognise(std::span<const std::uint8_t> head, bool isWhole);

/// Reads a file of any format that recognise() knows. Errors name the file and what it looks like.
Result<Batch> readProfile(const std::string &path, ReadOptions options = {});
Result<Batch> readProfile(std::unique_ptr<ByteSource> source, const ReadOptions &options);

extern const Format kPprof;
extern const Format kFolded;
extern const Format kOtlp;
extern const Format kCallgrind;
extern const Format kFirefox;
extern const Format kGperftoolsCpu;
extern const Format kHeaptrack;
extern const Format kJfr;
extern const Format kLegacyText;
extern const Format kMassif;
extern const Format kPerfData;
extern const Format kPerfScript;
extern const Format kSampleText;
extern const Format kSpeedscope;
extern const Format kStackText;
extern const Format kV8Cpu;
extern const Format kV8Heap;
extern const Format kChromeTrace;

} // namespace hearth
