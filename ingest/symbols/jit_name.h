#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hearth {

/// What a runtime calls code that it made while it ran.
struct JitName {
    std::string name;
    std::string file;
    std::int64_t line = 0;
    std::string_view kind; ///< of the frame: "v8js", "cpython"; empty if the name does not tell

    bool operator==(const JitName &) const = default;
};

/// Takes apart the names that runtimes write into perf maps:
///
///   LazyCompile:*fib /srv/fib.js:3:13      V8: what it is, how it was compiled, where it stands
///   py::fib:/srv/fib.py                    CPython's trampolines
///
/// Any other is a name as it is.
JitName parseJitName(std::string_view text);

} // namespace hearth
