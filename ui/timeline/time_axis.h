#pragma once

#include "model/views/selected_samples.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace hearth {

/// A moment that an axis names.
struct TimeMark {
    std::int64_t time = 0;
    QString text; ///< time of day where the data has any, else seconds from 1970, which is its start
};

/// Round moments of a range, as many as have room.
std::vector<TimeMark> timeMarks(const TimeRange &range, int width);

} // namespace hearth
