#include "model/views/arranged_rows.h"

#include "model/views/row_sort.h"
#include "model/views/word_filter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

namespace hearth {

namespace {

constexpr std::size_t kAhead = 16; ///< rows whose texts are fetched before they are needed

std::vector<std::uint32_t> matchingRows(const TopTable &table, std::string_view filter,
                                        const std::stop_token &stop)
{
    const WordFilter words(filter);
    std::vector<std::vector<std::uint32_t>> found(std::max(1U, std::thread::hardware_concurrency()));
    forEachPart(table.rows.size(), kRowsWorthAThread,
                [&](std::size_t part, std::size_t begin, std::size_t end) {
                    for (std::size_t row = begin; row < end; ++row) {
                        if ((row & 0xfff) == 0 && stop.stop_requested())
                            return;
                        // The rows are by weight, their names anywhere.
                        if (row + kAhead < end)
                            __builtin_prefetch(table.rows[row + kAhead].name.data());
                        if (const TopRow &candidate = table.rows[row];
                            words.matches({candidate.name, candidate.file, candidate.binary}))
                            found[part].push_back(static_cast<std::uint32_t>(row));
                    }
                });
    for (std::size_t part = 1; part < found.size(); ++part)
        found[0].insert(found[0].end(), found[part].begin(), found[part].end());
    return std::move(found[0]);
}

/// Calls `take(begin, end)` for each run of items with the same key.
template <class Take>
void forEachRun(std::span<const SortedRow> items, Take take)
{
    for (std::size_t begin = 0; begin < items.size();) {
        std::size_t end = begin + 1;
        while (end < items.size() && items[end].key == items[begin].key)
            ++end;
        take(begin, end);
        begin = end;
    }
}

/// Sorts by texts, eight bytes at a time: comparing whole texts would fetch each of them again and again.
template <class TextOf>
class TextSort {
public:
    TextSort(TextOf textOf, bool isDescending)
        : m_textOf(textOf), m_flip(isDescending ? ~std::uint64_t(0) : 0)
    {}

    void sort(std::span<SortedRow> items) const
    {
        forEachPart(items.size(), kRowsWorthAThread, [&](std::size_t, std::size_t begin, std::size_t end) {
            fillKeys(items.subspan(begin, end - begin), 0);
        });
        sortByKeyOnAllCores(items);
        std::vector<std::pair<std::size_t, std::size_t>> runs;
        forEachRun(items, [&](std::size_t begin, std::size_t end) { runs.emplace_back(begin, end); });
        forEachPart(runs.size(), 1, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                sortRun(items.subspan(runs[i].first, runs[i].second - runs[i].first), kBytes);
        });
    }

private:
    static constexpr std::size_t kBytes = sizeof(std::uint64_t);

    void fillKeys(std::span<SortedRow> items, std::size_t depth) const
    {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i + kAhead < items.size())
                __builtin_prefetch(m_textOf(items[i + kAhead].row).data() + depth);
            const std::string_view text = m_textOf(items[i].row);
            std::uint64_t bytes = 0;
            if (text.size() > depth)
                std::memcpy(&bytes, text.data() + depth, std::min(kBytes, text.size() - depth));
            if constexpr (std::endian::native == std::endian::little)
                bytes = __builtin_bswap64(bytes);
            items[i].key = bytes ^ m_flip;
        }
    }

    void sortRun(std::span<SortedRow> items, std::size_t depth) const
    {
        const auto isLonger = [&](const SortedRow &item) { return m_textOf(item.row).size() > depth; };
        if (items.size() < 2 || std::ranges::none_of(items, isLonger))
            return;
        fillKeys(items, depth);
        sortByKey(items);
        forEachRun(items, [&](std::size_t begin, std::size_t end) {
            sortRun(items.subspan(begin, end - begin), depth + kBytes);
        });
    }

    TextOf m_textOf;
    std::uint64_t m_flip;
};

class RowSort {
public:
    RowSort(const TopTable &table, const NameRanks *ranks, const std::vector<std::uint32_t> &rows)
        : m_table(table), m_ranks(ranks), m_items(rows.size())
    {
        for (std::size_t i = 0; i < rows.size(); ++i)
            m_items[i].row = rows[i];
    }

    void by(const RowOrder &order)
    {
        for (std::size_t i = 0; i < m_items.size(); ++i)
            m_items[i].place = static_cast<std::uint32_t>(i);
        switch (order.key) {
        case RowKey::Self:
            return byNumber(order, [this](std::uint32_t row) { return sizeOf(m_table.rows[row].self); });
        case RowKey::Total:
            return byNumber(order, [this](std::uint32_t row) { return sizeOf(m_table.rows[row].total); });
        case RowKey::Name:
            if (m_ranks != nullptr)
                return byNumber(order, [this](std::uint32_t row) { return std::uint64_t((*m_ranks)[row]); });
            return byText(order, [this](std::uint32_t row) { return m_table.rows[row].name; });
        case RowKey::Place:
            byNumber(order, [this](std::uint32_t row) {
                return static_cast<std::uint64_t>(m_table.rows[row].line);
            });
            for (std::size_t i = 0; i < m_items.size(); ++i)
                m_items[i].place = static_cast<std::uint32_t>(i);
            return byText(order, [this](std::uint32_t row) { return m_table.rows[row].file; });
        case RowKey::Kind:
            return byNumber(
                order, [this](std::uint32_t row) { return std::uint64_t(m_table.rows[row].kind.value); });
        case RowKey::Binary:
            return byText(order, [this](std::uint32_t row) { return m_table.rows[row].binary; });
        }
    }

    std::vector<std::uint32_t> rows() const
    {
        std::vector<std::uint32_t> rows;
        rows.reserve(m_items.size());
        for (const SortedRow &item : m_items)
            rows.push_back(item.row);
        return rows;
    }

private:
    /// What weighs -3 is as large as what weighs 3.
    static std::uint64_t sizeOf(std::int64_t weight)
    {
        const auto bits = static_cast<std::uint64_t>(weight);
        return weight < 0 ? 0 - bits : bits;
    }

    template <class NumberOf>
    void byNumber(const RowOrder &order, NumberOf numberOf)
    {
        const std::uint64_t flip = order.isDescending ? ~std::uint64_t(0) : 0;
        for (SortedRow &item : m_items)
            item.key = numberOf(item.row) ^ flip;
        sortByKeyOnAllCores(m_items);
    }

    template <class TextOf>
    void byText(const RowOrder &order, TextOf textOf)
    {
        TextSort(textOf, order.isDescending).sort(m_items);
    }

    const TopTable &m_table;
    const NameRanks *m_ranks;
    std::vector<SortedRow> m_items;
};

} // namespace

std::optional<NameRanks> nameRanksOf(const TopTable &table, const std::stop_token &stop)
{
    constexpr std::array kByName{RowOrder{RowKey::Name, false}};
    const auto rows = arrangedRows(table, {}, kByName, stop);
    if (!rows)
        return std::nullopt;
    NameRanks ranks(table.rows.size());
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < rows->size(); ++i) {
        const bool isNext = i > 0 && table.rows[(*rows)[i]].name != table.rows[(*rows)[i - 1]].name;
        ranks[(*rows)[i]] = rank += isNext;
    }
    return ranks;
}

std::optional<std::vector<std::uint32_t>> arrangedRows(const TopTable &table, std::string_view filter,
                                                       std::span<const RowOrder> orders,
                                                       const std::stop_token &stop, const NameRanks *ranks)
{
    RowSort sort(table, ranks, matchingRows(table, filter, stop));
    for (std::size_t i = orders.size(); i-- > 0;) {
        if (stop.stop_requested())
            return std::nullopt;
        sort.by(orders[i]);
    }
    return stop.stop_requested() ? std::nullopt : std::optional(sort.rows());
}

} // namespace hearth
