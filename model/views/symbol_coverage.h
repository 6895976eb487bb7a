#pragma once

#include "model/views/call_tree.h"

#include <optional>
#include <stop_token>

namespace hearth {

/// How much of what entries weigh themselves has a function's name, from 0 to 1; 1 if nothing weighs
/// anything. Frames of attributes count as named.
/// @return nothing if stopped
std::optional<double> namedShareOf(const CallTree &tree, const std::stop_token &stop);

} // namespace hearth
