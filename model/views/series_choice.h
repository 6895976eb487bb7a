#pragma once

#include "model/result.h"
#include "model/store/snapshot.h"

#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// A series that a data set offers: one that was stored, counts multiplied by the time that each stands for,
/// or how many samples a stored one has.
struct SeriesChoice {
    SeriesId stored;
    bool timesPeriod = false;
    std::string type;
    std::string unit;
    bool countsRows = false; ///< each sample with a value counts 1

    std::string name() const
    {
        if (type.empty() && unit.empty())
            return "unnamed";
        return unit.empty() ? type : type + '/' + unit;
    }
    bool operator==(const SeriesChoice &) const = default;
};

/// In the order in which they appeared. Counts with a period in time also offer that time, unless it is
/// stored anyway.
std::vector<SeriesChoice> offeredSeries(const Snapshot &snapshot);

/// Finds the series that `name` means: type, type/unit, or pprof's number of it; `inuse_` may be too much. An
/// empty name means the profile's own default, else the last series. `rows:` before a name counts its
/// samples.
Result<SeriesChoice> chooseSeries(const Snapshot &snapshot, std::string_view name);

} // namespace hearth
