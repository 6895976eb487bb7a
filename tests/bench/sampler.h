#pragma once

#include <filesystem>

namespace hearth::bench {

/// What the sampler costs, beside perf, and how many of its stacks are complete. Needs to be root.
void benchSampler(const std::filesystem::path &folder);

} // namespace hearth::bench
