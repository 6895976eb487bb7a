#pragma once

#include "model/result.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace hearth::otlp {

/// OTLP's profiles were renumbered in nearly every release, under the same names: what a message means
/// depends on which release its writer was built with, and nothing in it says so.
enum class Generation : std::uint8_t {
    V1_3,  ///< tables in each profile, each profile in a container
    V1_4,  ///< and 1.5: tables in each profile
    V1_6,  ///< tables beside the resources; in files only
    V1_7,  ///< one dictionary
    V1_8,  ///< and 1.9 where they are alike: stacks in the dictionary
    V1_9,  ///< fields of a profile moved
    V1_10, ///< and 1.11: fields of a sample moved
};

/// "1.10"
std::string_view nameOf(Generation generation);

struct DetectedGeneration {
    Generation generation = Generation::V1_10;
    bool isGuess = false; ///< the bytes fit several; the likeliest was taken
};

/// Tells from the bytes of ProfilesData or of a request. @return an error if they are neither, or if they
/// lack what is needed to understand them
Result<DetectedGeneration> detectGeneration(std::span<const std::uint8_t> message);

} // namespace hearth::otlp
