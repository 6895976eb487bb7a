#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace hearth::jfr {

/// Reads the numbers of a chunk of a JFR recording, where they are packed: seven bits a byte, the lowest
/// first, but eight in a ninth. What lies behind the end is 0.
class Bytes {
public:
    explicit Bytes(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

    bool isOk() const { return m_isOk; }
    std::size_t position() const { return m_at; }
    std::size_t left() const { return m_bytes.size() - m_at; }

    std::uint64_t number()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t byte = u8();
            if (shift == 56)
                return value | static_cast<std::uint64_t>(byte) << 56;
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80)
                break;
        }
        return value;
    }
    std::uint8_t u8()
    {
        if (m_at == m_bytes.size()) {
            m_isOk = false;
            return 0;
        }
        return m_bytes[m_at++];
    }
    float real32() { return std::bit_cast<float>(static_cast<std::uint32_t>(bigEndian(4))); }
    double real64() { return std::bit_cast<double>(bigEndian(8)); }
    std::uint64_t bigEndian(std::size_t size)
    {
        std::uint64_t value = 0;
        for (std::size_t byte = 0; byte < size; ++byte)
            value = value << 8 | u8();
        return value;
    }
    std::string_view text(std::uint64_t size)
    {
        if (size > left()) {
            m_isOk = false;
            size = left();
        }
        const std::string_view text(reinterpret_cast<const char *>(m_bytes.data()) + m_at,
                                    static_cast<std::size_t>(size));
        m_at += text.size();
        return text;
    }
    Bytes part(std::uint64_t size)
    {
        const std::string_view bytes = text(size);
        return Bytes({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
    }
    void seek(std::size_t position)
    {
        m_isOk = m_isOk && position <= m_bytes.size();
        m_at = position <= m_bytes.size() ? position : m_bytes.size();
    }

private:
    std::span<const std::uint8_t> m_bytes;
    std::size_t m_at = 0;
    bool m_isOk = true;
};

/// A string as it is written, which may be a reference to another.
struct String {
    std::string text;
    std::uint64_t reference = 0;
    bool isReference = false;
};
String readString(Bytes &bytes);

} // namespace hearth::jfr
