#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// What `perf script` prints of a sample: a line with who, when and what, then a line a frame, innermost
// first.
//
//   Web Content 1234/1240 [002] 403.629040:     250000 cycles:u:
//   	            122c mid+0xe (/usr/bin/work)
//   	ffffffff817554ea do_it (inlined)
//
// Which fields there are depends on its option -F; those that are missing are empty.

namespace hearth {

struct PerfScriptHead {
    std::string_view thread; ///< its comm
    std::optional<std::int64_t> process;
    std::optional<std::int64_t> threadId;
    std::optional<std::int64_t> cpu;
    std::optional<std::int64_t> timeNs;
    std::optional<std::int64_t> period;
    std::string_view event; ///< "cycles:u"
    std::string_view rest;  ///< a frame, or the fields of a tracepoint
};
std::optional<PerfScriptHead> parsePerfScriptHead(std::string_view line);

struct PerfScriptFrame {
    std::uint64_t address = 0;
    bool hasAddress = false;
    bool isInlined = false;
    std::string_view function; ///< empty if unknown
    std::string_view binary;   ///< empty if unknown
};
/// @param line without the blanks that it begins with
std::optional<PerfScriptFrame> parsePerfScriptFrame(std::string_view line);

/// "main.c:12" on a line of its own, where -F srcline asked for it.
struct PerfScriptPlace {
    std::string_view file;
    std::int64_t line = 0;
};
std::optional<PerfScriptPlace> parsePerfScriptPlace(std::string_view line);

} // namespace hearth
