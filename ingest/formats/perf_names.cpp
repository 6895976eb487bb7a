#include "ingest/formats/perf_names.h"

#include <algorithm>
#include <array>

namespace hearth::perf {

/// Names in brackets are the kernel and its modules, but for parts of a process's memory.
std::string_view kindOf(std::string_view binary)
{
    constexpr std::array<std::string_view, 6> kParts{"[vdso]",  "[vsyscall]", "[heap]",
                                                     "[stack]", "[uprobes]",  "[unknown]"};
    if (binary.empty())
        return {};
    if (binary.starts_with("/tmp/perf-") && binary.ends_with(".map"))
        return "jit";
    const bool isBracketed = binary.starts_with('[') && !binary.starts_with("[anon") &&
                             std::ranges::find(kParts, binary) == kParts.end();
    const bool isModule = binary.ends_with(".ko") || binary.find(".ko.") != std::string_view::npos ||
                          binary.find("/vmlinux") != std::string_view::npos || binary == "vmlinux";
    return isBracketed || isModule ? "kernel" : "native";
}

std::string_view unitOf(std::string_view event)
{
    const std::string_view base = event.substr(0, event.find(':'));
    return base == "cpu-clock" || base == "task-clock" ? "nanoseconds" : "count";
}

} // namespace hearth::perf
