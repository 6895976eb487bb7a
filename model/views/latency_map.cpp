#include "model/views/latency_map.h"

#include "model/views/timeline.h"

#include <algorithm>
#include <cmath>

namespace hearth {

namespace {

double logarithmOf(std::int64_t ns)
{
    return std::log(static_cast<double>(std::max<std::int64_t>(ns, 1)));
}

} // namespace

std::size_t LatencyMap::columnOf(std::int64_t startNs) const
{
    return binOf(time, columns, std::clamp(startNs, time.begin, time.end));
}

std::size_t LatencyMap::rowOf(std::int64_t durationNs) const
{
    const double place = (logarithmOf(durationNs) - low) / range * static_cast<double>(rows);
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(rows - 1)));
}

LatencyMap latencyMap(const SpanTable &table, std::span<const SpanRow> spans, std::size_t columns,
                      std::size_t rows)
{
    LatencyMap map;
    if (spans.empty() || columns == 0 || rows == 0)
        return map;
    map.columns = columns;
    map.rows = rows;
    map.cells.resize(columns * rows);
    map.time = {table.startNs(spans.front()), table.startNs(spans.front())};
    std::int64_t shortest = table.durationNs(spans.front());
    std::int64_t longest = shortest;
    for (const SpanRow row : spans) {
        map.time.begin = std::min(map.time.begin, table.startNs(row));
        map.time.end = std::max(map.time.end, table.startNs(row));
        shortest = std::min(shortest, table.durationNs(row));
        longest = std::max(longest, table.durationNs(row));
    }
    constexpr double kLeastRange = 0.01; // spans that all last the same are in one row, too
    map.low = logarithmOf(shortest);
    map.range = std::max(kLeastRange, logarithmOf(longest) - map.low);
    for (const SpanRow row : spans) {
        LatencyMap::Cell &cell =
            map.cells[map.rowOf(table.durationNs(row)) * columns + map.columnOf(table.startNs(row))];
        ++cell.spans;
        cell.failed += (table.marks(row) & kSpanFailed) != 0;
        if (cell.slowest.isNone() || table.durationNs(row) > table.durationNs(cell.slowest))
            cell.slowest = row;
    }
    return map;
}

} // namespace hearth
