#include "model/views/arranged_differences.h"

#include "model/views/word_filter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hearth {

namespace {

/// How sure it is that a row changed.
double certaintyOf(const DifferenceRow &row)
{
    return std::max(std::abs(row.self.z()), std::abs(row.total.z()));
}

/// What a number column is ordered by. What came from nothing grew more than anything else.
double sizeOf(const Change &change, DifferenceKey key)
{
    switch (key) {
    case DifferenceKey::Base:
        return std::abs(static_cast<double>(change.base));
    case DifferenceKey::Current:
        return std::abs(static_cast<double>(change.current));
    case DifferenceKey::Growth:
        return change.isNew() ? std::numeric_limits<double>::infinity()
                              : std::abs(change.growth().value_or(0));
    default:
        return std::abs(static_cast<double>(change.delta()));
    }
}

std::pair<std::string_view, std::int64_t> textOf(const DifferenceRow &row, DifferenceKey key)
{
    return key == DifferenceKey::Name ? std::pair(row.name, std::int64_t(0)) : std::pair(row.file, row.line);
}

/// Stable: rows with the same key stay as they are.
template <class KeyOf>
void sortBy(std::vector<std::uint32_t> &rows, bool isDescending, KeyOf keyOf)
{
    using Key = decltype(keyOf(std::uint32_t()));
    std::vector<std::pair<Key, std::uint32_t>> keyed;
    keyed.reserve(rows.size());
    for (const std::uint32_t row : rows)
        keyed.emplace_back(keyOf(row), row);
    std::ranges::stable_sort(keyed, [isDescending](const auto &a, const auto &b) {
        return isDescending ? b.first < a.first : a.first < b.first;
    });
    std::ranges::transform(keyed, rows.begin(), [](const auto &item) { return item.second; });
}

} // namespace

std::optional<std::vector<std::uint32_t>> arrangedDifferences(const DifferenceTable &table,
                                                              std::string_view filter,
                                                              const DifferenceArrangement &arrangement,
                                                              const std::stop_token &stop)
{
    const WordFilter words(filter);
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if ((i & 0xfff) == 0 && stop.stop_requested())
            return std::nullopt;
        const DifferenceRow &row = table.rows[i];
        const bool isNoise = !row.self.isSignificant() && !row.total.isSignificant();
        if (!(arrangement.hidesNoise && isNoise) && words.matches({row.name, row.file, row.binary}))
            rows.push_back(static_cast<std::uint32_t>(i));
    }
    const bool isByText = arrangement.key == DifferenceKey::Name || arrangement.key == DifferenceKey::Place;
    if (isByText)
        sortBy(rows, arrangement.isDescending,
               [&](std::uint32_t row) { return textOf(table.rows[row], arrangement.key); });
    else
        sortBy(rows, arrangement.isDescending, [&](std::uint32_t row) {
            const DifferenceRow &of = table.rows[row];
            return arrangement.key == DifferenceKey::Verdict
                       ? certaintyOf(of)
                       : sizeOf(arrangement.of == DifferenceOrder::Self ? of.self : of.total,
                                arrangement.key);
        });
    return stop.stop_requested() ? std::nullopt : std::optional(std::move(rows));
}

} // namespace hearth
