#pragma once

#include "app/cli/arguments.h"
#include "app/cli/data_set.h"

#include <array>
#include <optional>

namespace hearth::cli {

/// What reports have for subtracting profiles. The words mean what pprof's mean.
inline constexpr std::array kBaseOptions{
    Option{.name = "base",
           .value = "FILE",
           .help = "subtract this; shares are of what is left. Several are one data set"},
    Option{.name = "diff-base", .value = "FILE", .help = "subtract this; shares are of its total"},
    Option{.name = "normalize", .value = "", .help = "scale to the total of the base before subtracting"},
};

/// Whether something is to be subtracted.
bool hasBase(const Arguments &arguments);

/// @param current its snapshot and lens; the evaluation is made here. @return nothing after complaining
std::optional<Opened> lessBase(const Arguments &arguments, Opened current, Exit &status);

} // namespace hearth::cli
