#pragma once

#include <cstdint>

namespace hearth::agent {

/// CLOCK_MONOTONIC, which the kernel's records are dated by.
std::uint64_t monotonicNow();

/// What has to be added to CLOCK_MONOTONIC for nanoseconds since 1970, as precisely as a few readings tell.
std::int64_t sinceEpoch();

} // namespace hearth::agent
