#pragma once

#include <filesystem>

namespace hearth::bench {

/// `hearth serve` as a process of its own under agent-shaped requests: throughput, its CPU time a sample, its
/// memory, and how long answers take.
void benchPort(const std::filesystem::path &folder);

} // namespace hearth::bench
