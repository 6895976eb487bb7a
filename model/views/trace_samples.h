#pragma once

#include "model/views/waterfall.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace hearth {

/// When samples of a trace were taken and of which threads: its time in a fixed number of steps, for each row
/// those that have any.
struct TraceSamples {
    static constexpr std::uint32_t kSteps = 4096;

    struct Tick {
        std::uint32_t row = 0; ///< of the waterfall
        std::uint16_t step = 0;
        bool isWaiting = false; ///< all there is in this step are samples of waiting

        bool operator==(const Tick &) const = default;
    };

    /// Samples of a row that have the same context: those of one thread, mostly.
    struct Part {
        std::uint32_t row = 0;
        ContextId context;
        std::uint64_t samples = 0;
    };

    std::vector<Tick> ticks; ///< by row, then by step; each step once
    std::vector<Part> parts; ///< by row
    std::int64_t beginNs = 0;
    double stepNs = 0;

    std::span<const Tick> ofRow(std::uint32_t row) const;
    std::span<const Part> partsOf(std::uint32_t row) const;
    double beginOf(std::uint32_t step) const { return static_cast<double>(beginNs) + stepNs * step; }
};

/// One pass over the chunks that may have samples of the trace. Samples outside of its time are at its ends.
/// @param estimate of the links that samples lack; null: these are of no span
/// @return nothing if stopped
std::optional<TraceSamples> traceSamples(const Snapshot &snapshot, const Waterfall &waterfall,
                                         std::shared_ptr<const LinkEstimate> estimate,
                                         const std::stop_token &stop);

} // namespace hearth
