#pragma once

#include "model/views/selected_samples.h"
#include "model/views/span_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

/// When spans began and how long they lasted: cells of equal width in time and in the logarithm of the
/// duration.
struct LatencyMap {
    struct Cell {
        std::uint32_t spans = 0;
        std::uint32_t failed = 0;
        SpanRow slowest = SpanRow::none();
    };

    TimeRange time;   ///< of the starts
    double low = 0;   ///< logarithm of where the first row begins
    double range = 0; ///< of the logarithms; 0 if there are no spans
    std::size_t columns = 0;
    std::size_t rows = 0;
    std::vector<Cell> cells; ///< row by row, the shortest durations first

    bool isEmpty() const { return range == 0; }
    const Cell &at(std::size_t column, std::size_t row) const { return cells[row * columns + column]; }
    std::size_t columnOf(std::int64_t startNs) const;
    std::size_t rowOf(std::int64_t durationNs) const; ///< spans shorter than a nanosecond are in the first
};

LatencyMap latencyMap(const SpanTable &table, std::span<const SpanRow> spans, std::size_t columns,
                      std::size_t rows);

} // namespace hearth
