#pragma once

#include "model/views/selected_samples.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

struct Overview;
struct Lens;

/// Where an advice leads.
enum class AdviceKind : std::uint8_t {
    TooFew,   ///< samples, to tell anything: record for longer
    Names,    ///< a binary without symbols
    Losses,   ///< what is missing
    Function, ///< one that is hot itself
    Path,     ///< a function below which nearly everything is
    Time,     ///< a range in which much of it is
    Value,    ///< of an attribute
    Spans,    ///< that samples belong to
};

/// What is worth a look, computed: the same data and lens always say the same.
struct Advice {
    AdviceKind kind;
    std::string text; ///< a sentence with its figures
    std::string name; ///< of the function, path of the binary, value of the attribute
    std::string key;  ///< of the attribute
    TimeRange range;
};

/// @return nothing if stopped
std::optional<std::vector<Advice>> adviceOn(const Overview &overview, const Lens &lens, double observations,
                                            const std::stop_token &stop);

} // namespace hearth
