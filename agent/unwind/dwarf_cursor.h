#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace hearth::agent {

/// Reads DWARF's numbers one after the other. Beyond the end there are zeros, and it is no longer good.
class DwarfCursor {
public:
    explicit DwarfCursor(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

    bool isGood() const { return m_isGood; }
    bool isAtEnd() const { return m_at >= m_bytes.size(); }
    std::size_t position() const { return m_at; }

    template <class Number>
    Number fixed()
    {
        Number number = 0;
        if (m_bytes.size() - m_at < sizeof number)
            return fail<Number>();
        std::memcpy(&number, m_bytes.data() + m_at, sizeof number);
        m_at += sizeof number;
        return number;
    }

    std::uint64_t uleb()
    {
        std::uint64_t number = 0;
        for (unsigned shift = 0;; shift += 7) {
            if (isAtEnd())
                return fail<std::uint64_t>();
            const std::uint8_t byte = m_bytes[m_at++];
            if (shift < 64)
                number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80)
                return number;
        }
    }

    std::int64_t sleb()
    {
        std::uint64_t number = 0;
        for (unsigned shift = 0;; shift += 7) {
            if (isAtEnd())
                return fail<std::int64_t>();
            const std::uint8_t byte = m_bytes[m_at++];
            if (shift < 64)
                number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte >= 0x80)
                continue;
            if ((byte & 0x40) != 0 && shift + 7 < 64)
                number |= ~std::uint64_t(0) << (shift + 7);
            return static_cast<std::int64_t>(number);
        }
    }

    std::span<const std::uint8_t> take(std::uint64_t size)
    {
        if (size > m_bytes.size() - m_at) {
            fail<int>();
            return {};
        }
        const auto taken = m_bytes.subspan(m_at, static_cast<std::size_t>(size));
        m_at += taken.size();
        return taken;
    }

    std::span<const std::uint8_t> rest() { return take(m_bytes.size() - m_at); }

    std::string_view text()
    {
        const auto *begin = reinterpret_cast<const char *>(m_bytes.data() + m_at);
        const std::size_t length = m_bytes.empty() ? 0 : strnlen(begin, m_bytes.size() - m_at);
        if (length == m_bytes.size() - m_at) {
            fail<int>();
            return {};
        }
        m_at += length + 1;
        return {begin, length};
    }

private:
    template <class Number>
    Number fail()
    {
        m_isGood = false;
        m_at = m_bytes.size();
        return 0;
    }

    std::span<const std::uint8_t> m_bytes;
    std::size_t m_at = 0;
    bool m_isGood = true;
};

} // namespace hearth::agent
