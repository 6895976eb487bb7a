#pragma once

#include "model/lens/lens.h"
#include "model/result.h"
#include "model/store/snapshot.h"
#include "model/views/selected_samples.h"
#include "model/views/series_choice.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace hearth {

/// How busy it was when: a column for each second (or what suits the length of the data), its parts from the
/// bottom up. Patterns that repeat within seconds are seen as such.
struct FlameScope {
    SeriesChoice series;
    TimeRange all;            ///< from the first sample to the last
    std::int64_t beginNs = 0; ///< of the first column: a whole one
    std::int64_t columnNs = 0;
    std::size_t columns = 0;
    std::size_t rows = 0;            ///< no finer than the times are
    std::vector<std::int64_t> cells; ///< sums, column by column: in the order of time
    std::int64_t peak = 1;
    std::uint64_t untimed = 0; ///< samples that have no time, hence no place here

    bool isEmpty() const { return columns == 0; }
    double cellNs() const { return static_cast<double>(columnNs) / static_cast<double>(rows); }
    std::int64_t beginOf(std::size_t cell) const; ///< also of the one behind the last
};

/// Shows what the lens does, but for its time: the scope is where that is chosen.
/// @param mostRows of a column
/// @return nothing if stopped; an error if the lens does not fit the data set
Result<std::shared_ptr<const FlameScope>> flameScopeOf(const std::shared_ptr<const Snapshot> &snapshot,
                                                       Lens lens, std::size_t mostRows,
                                                       const std::stop_token &stop);

} // namespace hearth
