#pragma once

#include "model/views/parallel.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Orders rows of large tables by numbers, on all cores.

namespace hearth {

inline constexpr std::size_t kRowsWorthAThread = 50'000;

/// A row with what decides about its place, and its place so far, which decides about the rest.
struct SortedRow {
    std::uint64_t key = 0;
    std::uint32_t place = 0;
    std::uint32_t row = 0;
};

inline void sortByKey(std::span<SortedRow> rows)
{
    std::ranges::sort(rows, [](const SortedRow &a, const SortedRow &b) {
        return a.key != b.key ? a.key < b.key : a.place < b.place;
    });
}

inline void sortByKeyOnAllCores(std::span<SortedRow> rows)
{
    std::vector<std::size_t> ends(std::max(1U, std::thread::hardware_concurrency()), rows.size());
    forEachPart(rows.size(), kRowsWorthAThread, [&](std::size_t part, std::size_t begin, std::size_t end) {
        sortByKey(rows.subspan(begin, end - begin));
        ends[part] = end;
    });
    for (std::size_t part = 1; part < ends.size(); ++part)
        std::inplace_merge(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(ends[part - 1]),
                           rows.begin() + static_cast<std::ptrdiff_t>(ends[part]),
                           [](const SortedRow &a, const SortedRow &b) {
                               return a.key != b.key ? a.key < b.key : a.place < b.place;
                           });
}

/// `rows` by what `numberOf(row)` says of each; what is alike stays in its order.
template <class NumberOf>
std::vector<std::uint32_t> rowsByNumber(std::span<const std::uint32_t> rows, bool isDescending,
                                        NumberOf numberOf)
{
    constexpr std::uint64_t kSign = std::uint64_t(1) << 63U; // negative numbers come before the others
    const std::uint64_t flip = isDescending ? ~kSign : kSign;
    std::vector<SortedRow> sorted(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        sorted[i] = {static_cast<std::uint64_t>(std::int64_t(numberOf(rows[i]))) ^ flip,
                     static_cast<std::uint32_t>(i), rows[i]};
    sortByKeyOnAllCores(sorted);
    std::vector<std::uint32_t> result(rows.size());
    std::ranges::transform(sorted, result.begin(), &SortedRow::row);
    return result;
}

} // namespace hearth
