#pragma once

#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "model/views/difference_evaluator.h"

#include <array>
#include <optional>
#include <string>

namespace hearth::cli {

// What `diff` and `check` have in common: two sides to be compared.

inline constexpr std::array kSideOptions{
    Option{.name = "base",
           .value = "FILE",
           .help =
               "the baseline; with it, all files named without an option are the new side. Several are one"},
    Option{.name = "normalize",
           .value = "BY",
           .help = "scale the new side to the baseline: total, duration, requests or none (the default)"},
    Option{.name = "base-lens",
           .value = "TEXT",
           .help = "what to look at of the baseline instead of --lens; BASE and NEW may be one file"},
};

struct Sides {
    ComparedView base;
    ComparedView current;
    Normalisation normalisation = Normalisation::None;
    std::string title; ///< "before.pb.gz > after.pb.gz"
};

/// Opens both sides. @return nothing after complaining
std::optional<Sides> openSides(const Arguments &arguments, std::span<const std::string> by, Exit &status);

/// @return null after complaining
std::shared_ptr<const Difference> compare(DifferenceEvaluator &evaluator, const Sides &sides, Exit &status);

/// Writes members of an object: series, the weight of both sides, and how one was scaled to the other.
void writeHead(class Json &json, const Difference &difference, Normalisation normalisation);

/// "cpu/nanoseconds: 12.4 s > 13.1 s (+5.65%)"
std::string describe(const Difference &difference, Normalisation normalisation);

/// "+5.65%"; "new" where there was nothing, "" where there is no change.
std::string growthText(const Change &change);

/// With a sign also where it is positive.
std::string signedValue(std::int64_t value, const std::string &unit);

} // namespace hearth::cli
