#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace hearth {

/// Integers of one chunk, each stored as its distance from the smallest in as few whole bytes as hold the
/// largest distance: none for a constant column, eight at most. Never changes; copies share what is packed.
class PackedColumn {
public:
    PackedColumn() = default;

    template <class T>
    static PackedColumn pack(std::span<const T> values);

    bool isConstant() const { return m_width == 0; }
    std::int64_t minimum() const { return static_cast<std::int64_t>(m_base); }
    /// No integer is larger than this; taken for ids, which are never negative.
    std::uint64_t largestPossible() const
    {
        std::uint64_t sum = 0;
        return __builtin_add_overflow(m_base, m_width == 0 ? 0 : m_mask, &sum) ? ~std::uint64_t(0) : sum;
    }
    std::size_t bytes() const { return m_bytes; }

    std::uint64_t operator[](std::size_t row) const
    {
        if (m_width == 0)
            return m_base;
        std::uint64_t word = 0;
        std::memcpy(&word, m_data.get() + row * m_width, sizeof word);
        return m_base + (word & m_mask);
    }

    /// Unpacks rows begin … begin + out.size().
    template <class T>
    void read(std::size_t begin, std::span<T> out) const;

private:
    std::shared_ptr<const std::uint8_t[]>
        m_data; ///< with room behind the last row to load a whole word from anywhere
    std::uint64_t m_base = 0;
    std::uint64_t m_mask = 0;
    std::uint32_t m_width = 0;
    std::uint32_t m_bytes = 0;
};

} // namespace hearth
