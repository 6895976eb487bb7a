#include "model/views/chart_layout.h"

#include <algorithm>
#include <cmath>

namespace hearth {

namespace {

class LaneLayout {
public:
    LaneLayout(const TimeChart &chart, const StackLane &lane, const TimeRange &range, double nsPerPixel,
               bool isByStretch, std::vector<ChartBox> &boxes)
        : m_chart(chart), m_lane(lane), m_range(range), m_pixel(std::max(1.0, nsPerPixel)),
          m_isByStretch(isByStretch), m_boxes(boxes),
          m_end(lane.firstBeginningAt(range.end, lane.firstEndingAfter(range.begin)))
    {}

    /// Row after row, each within the wide boxes of the one above.
    void levels()
    {
        std::size_t above = m_boxes.size();
        row(m_lane.firstEndingAfter(m_range.begin), m_end, 1);
        for (std::uint32_t level = 2; above < m_boxes.size(); ++level) {
            const std::size_t end = m_boxes.size();
            for (; above < end; ++above)
                if (const ChartBox box = m_boxes[above]; !box.isNarrow && !box.isWaiting)
                    row(std::max<std::size_t>(box.first, m_lane.firstEndingAfter(m_range.begin)),
                        std::min<std::size_t>(box.last, m_end), level);
        }
    }

    /// Each stretch alone: what calls something meanwhile is not the innermost.
    void leaves()
    {
        for (std::size_t i = m_lane.firstEndingAfter(m_range.begin); i < m_end;)
            i = add({m_lane[i].begin, m_lane[i].end, i, i + 1}, m_end, m_lane.levelsOf(i), 1);
    }

private:
    struct Extent {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        std::size_t first = 0;
        std::size_t behind = 0;
    };

    void row(std::size_t begin, std::size_t end, std::uint32_t level)
    {
        for (std::size_t i = begin; i < end;)
            i = m_lane.levelsOf(i) < level ? m_lane.nextReaching(i, level)
                                           : add(extentAt(i, level), end, level, level);
    }

    Extent extentAt(std::size_t index, std::uint32_t level) const
    {
        const std::size_t behind = m_lane.endOfBox(index, level);
        return {m_lane[m_lane.beginOfBox(index, level)].begin, m_lane[behind - 1].end, index, behind};
    }

    bool isWide(const Extent &extent) const
    {
        return static_cast<double>(extent.end) - static_cast<double>(extent.begin) >= m_pixel;
    }

    /// @param limit a narrow box ends there, since something else begins above it
    /// @return the stretch to go on with
    std::size_t add(const Extent &extent, std::size_t limit, std::uint32_t level, std::uint32_t row)
    {
        const std::uint32_t levels = m_lane.levelsOf(extent.first);
        const Stretch &stretch = m_lane[extent.first];
        ChartBox box{.begin = extent.begin,
                     .end = extent.end,
                     .first = static_cast<std::uint32_t>(extent.first),
                     .last = static_cast<std::uint32_t>(extent.behind),
                     .node = m_chart.tree.at(stretch.node, level),
                     .level = static_cast<std::uint16_t>(row),
                     .isWaiting = stretch.isWaiting && level == levels};
        if (!isWide(extent)) {
            box.isNarrow = true;
            box.levels = static_cast<std::uint16_t>(levels - level + 1);
            box.last = static_cast<std::uint32_t>(
                std::max(extent.behind, std::min(limit, behindPixel(extent.first, extent.behind, level))));
            box.end = m_lane[box.last - 1].end;
        }
        m_boxes.push_back(box);
        return box.last;
    }

    /// The first stretch from `atLeast` on that begins in another pixel than this one, or is part of
    /// something wide.
    std::size_t behindPixel(std::size_t index, std::size_t atLeast, std::uint32_t level) const
    {
        const double place = static_cast<double>(m_lane[index].begin) - static_cast<double>(m_range.begin);
        const double edge = (std::floor(place / m_pixel) + 1) * m_pixel;
        const auto time = static_cast<std::int64_t>(std::ceil(static_cast<double>(m_range.begin) + edge));
        const std::size_t next = m_lane.firstBeginningAt(time, index);
        if (next <= atLeast)
            return atLeast;
        const std::size_t last = next - 1;
        if (m_isByStretch)
            return isWide({m_lane[last].begin, m_lane[last].end}) ? last : next;
        if (m_lane.levelsOf(last) < level || !isWide(extentAt(last, level)))
            return next;
        return std::max(atLeast, m_lane.beginOfBox(last, level));
    }

    const TimeChart &m_chart;
    const StackLane &m_lane;
    TimeRange m_range;
    double m_pixel;
    bool m_isByStretch; ///< no two of them are one box
    std::vector<ChartBox> &m_boxes;
    std::size_t m_end;
};

} // namespace

void layOutLane(const TimeChart &chart, const StackLane &lane, const TimeRange &range, double nsPerPixel,
                bool leaf, std::vector<ChartBox> &boxes)
{
    if (lane.isEmpty())
        return;
    LaneLayout layout(chart, lane, range, nsPerPixel, leaf, boxes);
    leaf ? layout.leaves() : layout.levels();
}

} // namespace hearth
