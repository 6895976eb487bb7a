#pragma once

#include "model/views/evaluator.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace hearth {

/// A source line of a function.
struct LineWeight {
    std::string_view file;
    std::int64_t line = 0; ///< 0: not known
    std::int64_t self = 0;
    std::int64_t total = 0;
};

/// The lines of a function, the heaviest first, and what keeps their texts alive.
struct LineWeights {
    std::vector<LineWeight> lines;
    EntriesView entries;
};

/// @param evaluator remembers what the next function needs, too
/// @return nothing if stopped, or if the lens cannot be evaluated
std::optional<LineWeights> lineWeightsOf(Evaluator &evaluator,
                                         const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens,
                                         std::string_view function, const std::stop_token &stop);

} // namespace hearth
