#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace hearth {

/// Walks over bytes of either order, mostly little-endian ones. Reading beyond the end gives zeroes and is
/// remembered, so that a run of reads needs one check.
class Cursor {
public:
    Cursor() = default;
    explicit Cursor(std::span<const std::uint8_t> bytes, std::endian order = std::endian::little)
        : m_begin(bytes.data()), m_at(m_begin), m_end(m_at + bytes.size()),
          m_isSwapped(order != std::endian::native)
    {}

    bool isGood() const { return m_isGood; }
    bool isAtEnd() const { return m_at == m_end; }
    std::size_t position() const { return static_cast<std::size_t>(m_at - m_begin); }
    std::size_t left() const { return static_cast<std::size_t>(m_end - m_at); }

    void seek(std::uint64_t position)
    {
        if (position > static_cast<std::uint64_t>(m_end - m_begin))
            return fail();
        m_at = m_begin + position;
    }
    void skip(std::uint64_t count)
    {
        if (count > left())
            return fail();
        m_at += count;
    }

    std::uint8_t u8() { return fixed<std::uint8_t>(); }
    std::uint16_t u16() { return fixed<std::uint16_t>(); }
    std::uint32_t u24() ///< of little-endian bytes
    {
        const std::uint32_t low = u16();
        return low | static_cast<std::uint32_t>(u8()) << 16;
    }
    std::uint32_t u32() { return fixed<std::uint32_t>(); }
    std::uint64_t u64() { return fixed<std::uint64_t>(); }
    std::uint64_t unsignedOf(unsigned size)
    {
        return size == 8 ? u64() : size == 4 ? u32() : size == 2 ? u16() : u8();
    }

    std::uint64_t uleb()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t byte = u8();
            if (shift < 64)
                value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
    }
    std::int64_t sleb()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0;;) {
            const std::uint8_t byte = u8();
            if (shift < 64)
                value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            shift += 7;
            if (byte < 0x80) {
                if ((byte & 0x40) != 0 && shift < 64)
                    value |= ~std::uint64_t(0) << shift;
                return static_cast<std::int64_t>(value);
            }
        }
    }
    void skipLeb()
    {
        while ((u8() & 0x80) != 0) {
        }
    }

    /// The text up to a zero, which is then behind it.
    std::string_view text()
    {
        const void *const zero = left() == 0 ? nullptr : std::memchr(m_at, 0, left());
        if (zero == nullptr) {
            fail();
            return {};
        }
        const auto *const end = static_cast<const std::uint8_t *>(zero);
        const std::string_view text(reinterpret_cast<const char *>(m_at),
                                    static_cast<std::size_t>(end - m_at));
        m_at = end + 1;
        return text;
    }
    std::span<const std::uint8_t> bytes(std::uint64_t count)
    {
        const std::uint8_t *const from = m_at;
        skip(count);
        return m_isGood ? std::span(from, static_cast<std::size_t>(count)) : std::span<const std::uint8_t>();
    }

private:
    template <class Number>
    Number fixed()
    {
        if (left() < sizeof(Number)) [[unlikely]] {
            fail();
            return 0;
        }
        std::array<std::uint8_t, sizeof(Number)> bytes;
        std::memcpy(bytes.data(), m_at, sizeof(Number));
        m_at += sizeof(Number);
        if (m_isSwapped) [[unlikely]]
            std::ranges::reverse(bytes);
        return std::bit_cast<Number>(bytes);
    }
    void fail()
    {
        m_at = m_end;
        m_isGood = false;
    }

    const std::uint8_t *m_begin = nullptr;
    const std::uint8_t *m_at = nullptr;
    const std::uint8_t *m_end = nullptr;
    bool m_isGood = true;
    bool m_isSwapped = false;
};

} // namespace hearth
