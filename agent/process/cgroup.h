#pragma once

#include "model/result.h"

#include <cstdint>
#include <string>

namespace hearth::agent {

/// How the kernel knows a cgroup: its id, and how far it is below the root.
struct Cgroup {
    std::uint64_t id = 0;
    std::uint32_t level = 0;
};

/// @param directory in the hierarchy of cgroups of version 2
Result<Cgroup> findCgroup(const std::string &directory);

} // namespace hearth::agent
