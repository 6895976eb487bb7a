#pragma once

#include "app/cli/arguments.h"
#include "model/result.h"
#include "model/views/short_name.h"

#include <array>

namespace hearth::cli {

/// Of reports that list functions.
inline constexpr std::array kNameOptions{
    Option{.name = "names",
           .value = "HOW",
           .help = "full, no-args, no-templates, or short for the last components"},
};

inline Result<NameDetail> chosenNames(const Arguments &arguments)
{
    const std::string word = arguments.value("names").value_or("full");
    const auto detail = nameDetail(word);
    if (!detail)
        return failure("--names takes full, no-args, no-templates or short, not '" + word + "'");
    return *detail;
}

} // namespace hearth::cli
