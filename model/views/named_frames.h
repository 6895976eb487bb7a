#pragma once

#include "model/store/snapshot.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hearth {

/// By frame: whether it shows a function of this name, or a binary without functions ("[libc.so.6]").
std::vector<bool> framesNamed(const Snapshot &snapshot, std::string_view name);

/// By frame: bit i if it shows the name i. REQUIRES: at most 64 names.
std::vector<std::uint64_t> framesNamed(const Snapshot &snapshot, std::span<const std::string_view> names);

} // namespace hearth
