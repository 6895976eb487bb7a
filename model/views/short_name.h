#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace hearth {

/// The most telling form of a function's name that fits: whole; without parameters; without template
/// arguments; its last components. If nothing fits, the shortest of these.
/// @param fits says whether a text does
std::string shortName(std::string_view name, const std::function<bool(std::string_view)> &fits);

} // namespace hearth
