#pragma once

#include "model/store/snapshot.h"
#include "model/views/link_estimate.h"
#include "model/views/series_choice.h"
#include "model/views/wait_cause.h"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace hearth {

/// A table's column of time: spent on a processor, or waiting.
struct TimeColumn {
    SeriesChoice series;
    std::int64_t nsPerUnit = 1;
    bool isWaiting = false;
};

/// The time that samples of a table stand for; nothing if they count something else.
std::optional<TimeColumn> timeColumnOf(const Snapshot &snapshot, const SampleTable &table);

/// What samples say of each span, by link: how many there are, and the time that they stand for.
struct LinkWeights {
    std::vector<std::uint32_t> samples;
    std::vector<std::int64_t> onCpuNs;
    std::array<std::vector<std::int64_t>, kWaitCauses> waitNs; ///< each empty if nothing was sampled waiting

    // When a link was sampled, nanoseconds since 1970: all that is known of it if its span is missing.
    std::vector<std::int64_t> firstNs; ///< kNever if never, or not known
    std::vector<std::int64_t> lastNs;

    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    std::int64_t waitingNs(LinkId link) const;
    bool isEmpty() const { return samples.empty(); }

    /// One pass over all samples.
    /// @param estimate of the links that samples lack; null: these count nowhere
    /// @return nothing if stopped
    static std::optional<LinkWeights>
    of(const Snapshot &snapshot, std::shared_ptr<const LinkEstimate> estimate, const std::stop_token &stop);
};

} // namespace hearth
