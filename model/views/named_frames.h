#pragma once

#include "model/store/snapshot.h"

#include <string_view>
#include <vector>

namespace hearth {

/// By frame: whether it shows a function of this name, or a binary without functions ("[libc.so.6]").
std::vector<bool> framesNamed(const Snapshot &snapshot, std::string_view name);

} // namespace hearth
