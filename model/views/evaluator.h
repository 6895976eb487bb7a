#pragma once

#include "model/lens/lens.h"
#include "model/result.h"
#include "model/store/snapshot.h"
#include "model/views/call_tree.h"
#include "model/views/series_choice.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

namespace hearth {

/// What a lens shows of a snapshot. All views are made from it.
struct Evaluation {
    std::shared_ptr<const CallTree> tree;
    SeriesChoice series;
    std::int64_t total = 0;     ///< of the whole series, before any filter
    std::int64_t selected = 0;  ///< of the samples that are looked at, whatever their stacks hold
    std::int64_t matched = 0;   ///< what the lens leaves of it
    std::size_t groupDepth = 0; ///< so many levels below the root are groups, not frames
    std::string warning;        ///< what could not be done as the profile wants it; empty if all could
    bool overflowed = false;    ///< a sum did not fit 64 bits; it stands at the limit
};

/// Computes views of one data set in stages, each of which remembers what it made: frames (filters and
/// names), stacks (shape of the tree), samples (weights by stack), tree. A change of the lens re-runs the
/// stages that depend on it; a newer snapshot costs what is new in it.
///
/// For one caller at a time. The results are immutable and may go anywhere.
class Evaluator {
public:
    Evaluator();
    ~Evaluator();

    /// @return null if stopped; an error if the lens does not fit the data set
    Result<std::shared_ptr<const Evaluation>> evaluate(const std::shared_ptr<const Snapshot> &snapshot,
                                                       const Lens &lens, const std::stop_token &stop = {});

private:
    struct Stages;
    std::unique_ptr<Stages> m_stages;
};

} // namespace hearth
