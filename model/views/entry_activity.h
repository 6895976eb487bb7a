#pragma once

#include "model/lens/lens.h"
#include "model/store/snapshot.h"
#include "model/views/selected_samples.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace hearth {

/// When a function ran, and in how many samples it was seen.
struct EntryActivity {
    TimeRange range;
    std::vector<std::int64_t> bins; ///< sums over equal parts of the range; empty if nothing has a time
    std::uint64_t samples = 0;      ///< with the function on their stack
    std::uint64_t all = 0;          ///< with any stack

    double share() const { return all == 0 ? 0 : static_cast<double>(samples) / static_cast<double>(all); }
    /// Half of the interval that holds the share with a probability of 95 %, if samples are taken at random.
    double shareError() const;
};

/// Looks at the samples that a lens selects by series, time and attributes, whatever it does to their frames.
/// @param name of a function, or a binary in brackets
/// @return nothing if stopped, or if the lens does not fit the data set
std::optional<EntryActivity> entryActivityOf(const Snapshot &snapshot, const Lens &lens,
                                             std::string_view name, std::size_t bins,
                                             const std::stop_token &stop);

/// When each of some functions ran: sums over equal parts of the lens's time, by the order of the names.
/// Empty if nothing has a time.
/// @param names at most kMostStrips of them
/// @return nothing if stopped, or if the lens does not fit the data set
std::optional<std::vector<std::vector<std::int64_t>>>
entryStripsOf(const Snapshot &snapshot, const Lens &lens, std::span<const std::string_view> names,
              std::size_t bins, const std::stop_token &stop);
inline constexpr std::size_t kMostStrips = 64;

} // namespace hearth
