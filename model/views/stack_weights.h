#pragma once

#include "model/store/snapshot.h"
#include "model/views/selected_samples.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <vector>

namespace hearth {

std::uint64_t absolute(std::int64_t value);

/// Sums of 64-bit values. A sum that does not fit stays at the limit and says so.
struct Sum {
    std::int64_t value = 0;
    bool overflowed = false;

    void add(std::int64_t more)
    {
        if (__builtin_add_overflow(value, more, &value)) {
            value = more > 0 ? std::numeric_limits<std::int64_t>::max()
                             : std::numeric_limits<std::int64_t>::min();
            overflowed = true;
        }
    }
};

/// Adds to a sum of which nobody asks whether it fits.
inline void addTo(std::int64_t &sum, std::int64_t more)
{
    Sum checked{sum};
    checked.add(more);
    sum = checked.value;
}

/// What the selected samples weigh, by stack.
struct StackWeights {
    std::vector<std::int64_t> net;      ///< sum of the values
    std::vector<std::int64_t> absolute; ///< sum of their absolute values; empty if no value is negative
    std::uint64_t samples = 0;          ///< that were selected and have a value other than 0
    bool overflowed = false;

    std::int64_t magnitude(std::size_t stack) const
    {
        return absolute.empty() ? net[stack] : absolute[stack];
    }
};

/// Sums the samples of whole chunks, which it remembers: a later snapshot costs only what is new in it.
class WeightSum {
public:
    explicit WeightSum(SampleSelection selection) : m_selection(std::move(selection)) {}

    /// @return nothing if stopped
    std::optional<StackWeights> sum(const Snapshot &snapshot, const std::stop_token &stop);

    /// Contexts and links of later snapshots may be added to the selection; nothing else of it may change.
    SampleSelection &selection() { return m_selection; }

private:
    SampleSelection m_selection;
    StackWeights m_sealed;                                             ///< of the chunks in m_seen
    std::vector<std::vector<std::weak_ptr<const SampleChunk>>> m_seen; ///< sealed chunks, by table
};

/// The sum of the absolute values of a whole series, or of its samples that are marked as base of a
/// difference.
Sum seriesTotal(const Snapshot &snapshot, const SeriesChoice &series);

} // namespace hearth
