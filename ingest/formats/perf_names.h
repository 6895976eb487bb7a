#pragma once

#include <string_view>

// What Linux perf calls things, in its files as in its texts.

namespace hearth::perf {

/// "kernel", "jit" or "native", by what perf calls the binary; empty if it has none.
std::string_view kindOf(std::string_view binary);

/// What an event counts: "cycles:u" cycles, "cpu-clock" nanoseconds.
std::string_view unitOf(std::string_view event);

} // namespace hearth::perf
