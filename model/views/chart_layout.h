#pragma once

#include "model/views/time_chart.h"

#include <cstdint>
#include <vector>

namespace hearth {

/// A box of a time chart: a function in one level of a lane, from when to when.
struct ChartBox {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::uint32_t first = 0;  ///< stretches of the lane
    std::uint32_t last = 0;   ///< not part of it
    NodeId node;              ///< of the first stretch, if it stands for several boxes
    std::uint16_t level = 0;  ///< from 1 on
    std::uint16_t levels = 1; ///< how far down a narrow one goes, as far as was looked
    bool isWaiting = false;
    bool isNarrow = false; ///< it stands for all that is in a pixel, from this level on down
};

/// The boxes of a lane that are in a range, from the outermost level on, in each from left to right. Cost by
/// pixels, not by samples: what is narrower than a pixel is one narrow box for each pixel, and what is below
/// it is not looked at.
/// @param leaf whether only the innermost box of each moment is asked for; it gets level 1
void layOutLane(const TimeChart &chart, const StackLane &lane, const TimeRange &range, double nsPerPixel,
                bool leaf, std::vector<ChartBox> &boxes);

} // namespace hearth
