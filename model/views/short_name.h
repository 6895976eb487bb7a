#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace hearth {

/// How much of a function's name is shown.
enum class NameDetail {
    Full,
    NoArguments, ///< without parameters
    NoTemplates, ///< nor template arguments or type parameters
    Short,       ///< the last components of that alone
};

/// By "full", "no-args", "no-templates", "short".
std::optional<NameDetail> nameDetail(std::string_view word);
std::string_view nameOf(NameDetail detail);
std::string detailedName(std::string_view name, NameDetail detail);

/// The most telling form of a function's name that fits: whole; without parameters; without template
/// arguments; its last components. If nothing fits, the shortest of these.
/// @param fits says whether a text does
std::string shortName(std::string_view name, const std::function<bool(std::string_view)> &fits);

} // namespace hearth
