#pragma once

#include "model/store/snapshot.h"
#include "model/views/series_choice.h"
#include "model/views/stack_weights.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hearth {

struct SeriesFacts {
    SeriesChoice choice;
    Sum total;
    std::int64_t period = 0; ///< 0: not known
    std::string periodType;
};

/// A key with how many values it takes.
struct AttributeFacts {
    std::string key;
    std::size_t values = 0;
    std::string only;          ///< the value, if there is only this one
    bool isOfResource = false; ///< tells where samples are from, not what they are of
};

/// What there is to say about a data set, whatever one looks at in it.
struct DataSetFacts {
    std::string format;
    std::string generation;
    std::vector<SeriesFacts> series;
    std::string defaultSeries;
    std::vector<AttributeFacts> attributes;
    std::int64_t from = 0; ///< of the samples, or of the profiles where samples have no times; 0: not known
    std::int64_t to = 0;
};

DataSetFacts factsOf(const Snapshot &snapshot);

} // namespace hearth
