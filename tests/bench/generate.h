#pragma once

#include "model/store/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

// Inputs of the benchmarks: the same in every run.

namespace hearth::bench {

struct ProfileSize {
    std::size_t samples = 0;
    std::size_t stacks = 0; ///< distinct ones
    std::size_t functions = 0;
    std::size_t depth = 0; ///< on average
    std::size_t threads = 0;
};

/// A pprof message with two series, thread labels, and stacks that share their outer frames as those of
/// programs do.
std::string pprofBytes(const ProfileSize &size);

/// A store with samples as an eBPF agent sends them: a time each, a thread of many, one as value.
std::shared_ptr<const Snapshot> agentSnapshot(std::size_t samples, std::size_t stacks,
                                              std::size_t threads = 500);

/// A store with spans of a few services, and samples that ran in them.
std::shared_ptr<const Snapshot> tracedSnapshot(std::size_t spans, std::size_t samples, std::size_t stacks,
                                               std::size_t spansOfATrace = 8);

/// A store with so many functions, each in one sample.
std::shared_ptr<const Snapshot> functionsSnapshot(std::size_t functions);

} // namespace hearth::bench
