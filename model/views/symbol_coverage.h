#pragma once

#include "model/store/snapshot.h"
#include "model/views/call_tree.h"

#include <optional>
#include <stop_token>
#include <string_view>

namespace hearth {

/// How much of what entries weigh themselves has a function's name.
struct SymbolCoverage {
    double named = 1;       ///< from 0 to 1; 1 if nothing weighs anything. Attributes count as named
    std::string_view worst; ///< the path of the binary that most of the rest is in; empty if in none
};

/// @return nothing if stopped
std::optional<SymbolCoverage> symbolCoverageOf(const CallTree &tree, const std::stop_token &stop);

/// What would help the builds that have this path most; empty if nobody knows.
std::string_view adviceFor(std::string_view path, const Snapshot &snapshot);

} // namespace hearth
