#include "model/store/packed_column.h"

#include <algorithm>
#include <bit>

namespace hearth {

namespace {

template <class Narrow, class T>
void widen(const std::uint8_t *from, std::uint64_t base, std::span<T> out)
{
    for (std::size_t i = 0; i < out.size(); ++i) {
        Narrow narrow;
        std::memcpy(&narrow, from + i * sizeof(Narrow), sizeof narrow);
        out[i] = static_cast<T>(base + narrow);
    }
}

} // namespace

template <class T>
PackedColumn PackedColumn::pack(std::span<const T> values)
{
    PackedColumn column;
    if (values.empty())
        return column;
    const auto [low, high] = std::ranges::minmax_element(values);
    column.m_base = static_cast<std::uint64_t>(*low);
    const std::uint64_t range = static_cast<std::uint64_t>(*high) - column.m_base;
    const auto width = static_cast<std::uint32_t>((std::bit_width(range) + 7) / 8);
    if (width == 0)
        return column;
    column.m_width = width;
    column.m_mask = width == 8 ? ~std::uint64_t(0) : (std::uint64_t(1) << (8 * width)) - 1;
    column.m_bytes = static_cast<std::uint32_t>(values.size() * width + sizeof(std::uint64_t) - width);
    const auto data = std::make_shared_for_overwrite<std::uint8_t[]>(column.m_bytes);
    std::uint8_t *to = data.get();
    for (const T value : values) { // each store spills zeros into the next rows, which are written after it
        const std::uint64_t distance = static_cast<std::uint64_t>(value) - column.m_base;
        std::memcpy(to, &distance, sizeof distance);
        to += width;
    }
    column.m_data = data;
    return column;
}

template <class T>
void PackedColumn::read(std::size_t begin, std::span<T> out) const
{
    const std::uint8_t *from = m_data.get() + begin * m_width;
    switch (m_width) {
    case 0:
        std::ranges::fill(out, static_cast<T>(m_base));
        return;
    case 1:
        widen<std::uint8_t>(from, m_base, out);
        return;
    case 2:
        widen<std::uint16_t>(from, m_base, out);
        return;
    case 4:
        widen<std::uint32_t>(from, m_base, out);
        return;
    case 8:
        widen<std::uint64_t>(from, m_base, out);
        return;
    default:
        break;
    }
    for (T &value : out) {
        std::uint64_t word = 0;
        std::memcpy(&word, from, sizeof word);
        value = static_cast<T>(m_base + (word & m_mask));
        from += m_width;
    }
}

template PackedColumn PackedColumn::pack(std::span<const std::uint32_t>);
template PackedColumn PackedColumn::pack(std::span<const std::int64_t>);
template void PackedColumn::read(std::size_t, std::span<std::uint32_t>) const;
template void PackedColumn::read(std::size_t, std::span<std::int64_t>) const;

} // namespace hearth
