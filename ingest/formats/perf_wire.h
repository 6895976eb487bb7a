#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

// The bytes of a perf.data file, which is in the order of the machine that it was recorded on.

namespace hearth::perf {

/// Reads numbers one behind the other; what lies behind the end is 0.
class Bytes {
public:
    Bytes(std::span<const std::uint8_t> bytes, bool isSwapped) : m_bytes(bytes), m_isSwapped(isSwapped) {}

    /// Whether all that was read was there.
    bool isOk() const { return m_isOk; }
    std::size_t left() const { return m_bytes.size() - m_at; }
    bool isSwapped() const { return m_isSwapped; }

    std::uint8_t u8() { return number<std::uint8_t>(); }
    std::uint16_t u16() { return number<std::uint16_t>(); }
    std::uint32_t u32() { return number<std::uint32_t>(); }
    std::uint64_t u64() { return number<std::uint64_t>(); }

    std::span<const std::uint8_t> bytes(std::uint64_t size)
    {
        if (size > left()) {
            m_isOk = false;
            size = left();
        }
        const auto taken = m_bytes.subspan(m_at, static_cast<std::size_t>(size));
        m_at += taken.size();
        return taken;
    }
    void skip(std::uint64_t size) { bytes(size); }

    /// Up to the next zero or, where there is none, to the end of `size` bytes.
    std::string_view text(std::uint64_t size)
    {
        const auto taken = bytes(size);
        const std::string_view text(reinterpret_cast<const char *>(taken.data()), taken.size());
        return text.substr(0, text.find('\0'));
    }
    std::string_view textToEnd() { return text(left()); }

private:
    template <class Number>
    Number number()
    {
        if (sizeof(Number) > left()) {
            m_isOk = false;
            m_at = m_bytes.size();
            return 0;
        }
        Number value = 0;
        std::memcpy(&value, m_bytes.data() + m_at, sizeof value);
        m_at += sizeof value;
        if constexpr (sizeof(Number) == 2)
            return m_isSwapped ? __builtin_bswap16(value) : value;
        else if constexpr (sizeof(Number) == 4)
            return m_isSwapped ? __builtin_bswap32(value) : value;
        else if constexpr (sizeof(Number) == 8)
            return m_isSwapped ? __builtin_bswap64(value) : value;
        else
            return value;
    }

    std::span<const std::uint8_t> m_bytes;
    std::size_t m_at = 0;
    bool m_isSwapped;
    bool m_isOk = true;
};
static_assert(std::endian::native == std::endian::little);

/// What every record begins with.
struct RecordHead {
    static constexpr std::size_t kSize = 8;

    std::uint32_t type = 0;
    std::uint16_t misc = 0;
    std::uint16_t size = 0; ///< of the whole record
};

inline RecordHead readHead(Bytes &bytes)
{
    RecordHead head;
    head.type = bytes.u32();
    head.misc = bytes.u16();
    head.size = bytes.u16();
    return head;
}

/// Types of records that Hearth reads (linux/perf_event.h; from 64 on, tools/perf/util/event.h).
enum class RecordType : std::uint32_t {
    Mmap = 1,
    Lost = 2,
    Comm = 3,
    Exit = 4,
    Fork = 7,
    Sample = 9,
    Mmap2 = 10,
    LostSamples = 13,
    Ksymbol = 17,
    Attr = 64,
    TracingData = 66,
    BuildId = 67,
    FinishedRound = 68,
    Auxtrace = 71,
    EventUpdate = 78,
    Feature = 80,
    Compressed = 81,
    Compressed2 = 83,
};

} // namespace hearth::perf
