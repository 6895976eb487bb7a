#pragma once

#include "app/cli/arguments.h"
#include "model/result.h"

#include <chrono>
#include <cstddef>
#include <optional>

namespace hearth::cli {

// Values of options that several commands have. Errors name the option.

/// What a data set may take unless told otherwise.
std::size_t halfOfMemory();

/// `--memory 4G`; by default half of the machine's.
Result<std::size_t> memoryOption(const Arguments &arguments);

/// `10s`, `1.5min`; a number alone is seconds.
Result<std::optional<std::chrono::nanoseconds>> durationOption(const Arguments &arguments,
                                                               std::string_view option);

} // namespace hearth::cli
