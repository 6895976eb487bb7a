#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

// Protocol Buffers' wire format, read in place: nothing is copied, and no message tree is built.

namespace hearth {

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct WireField {
    std::uint32_t number = 0;
    WireType type = WireType::Varint;
    std::uint64_t number64 = 0;          ///< value of a varint or a fixed field
    std::span<const std::uint8_t> bytes; ///< payload of a Bytes field

    bool isVarint() const { return type == WireType::Varint; }
    bool isBytes() const { return type == WireType::Bytes; }
    std::string_view text() const { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }
};

enum class WireOutcome : std::uint8_t { Ok, Incomplete, Malformed };

/// Reads one varint at `at`, which is then behind it.
inline WireOutcome readVarint(const std::uint8_t *&at, const std::uint8_t *end, std::uint64_t &value)
{
    if (at < end && *at < 0x80) [[likely]] {
        value = *at++;
        return WireOutcome::Ok;
    }
    std::uint64_t result = 0;
    const std::uint8_t *byte = at;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (byte == end)
            return WireOutcome::Incomplete;
        const std::uint8_t bits = *byte++;
        if (shift < 64)
            result |= static_cast<std::uint64_t>(bits & 0x7f) << shift;
        if (bits < 0x80) {
            at = byte;
            value = result;
            return WireOutcome::Ok;
        }
    }
    return WireOutcome::Malformed;
}

/// Reads the head of a field at `at`: its tag and, if it has one, its length (in `length`, else 0). Values of
/// varint and fixed fields are read too.
inline WireOutcome readFieldHead(const std::uint8_t *&at, const std::uint8_t *end, WireField &field,
                                 std::uint64_t &length)
{
    std::uint64_t tag = 0;
    if (const WireOutcome outcome = readVarint(at, end, tag); outcome != WireOutcome::Ok)
        return outcome;
    if (tag >> 32 != 0 || tag >> 3 == 0)
        return WireOutcome::Malformed;
    field.number = static_cast<std::uint32_t>(tag >> 3);
    length = 0;
    switch (tag & 7) {
    case 0:
        field.type = WireType::Varint;
        return readVarint(at, end, field.number64);
    case 1:
    case 5: {
        field.type = static_cast<WireType>(tag & 7);
        const std::ptrdiff_t size = field.type == WireType::Fixed64 ? 8 : 4;
        if (end - at < size)
            return WireOutcome::Incomplete;
        field.number64 = 0;
        std::memcpy(&field.number64, at, static_cast<std::size_t>(size));
        at += size;
        return WireOutcome::Ok;
    }
    case 2:
        field.type = WireType::Bytes;
        return readVarint(at, end, length);
    default:
        return WireOutcome::Malformed; // groups
    }
}
static_assert(std::endian::native == std::endian::little);

/// The fields of one message that is wholly in memory.
class WireReader {
public:
    explicit WireReader(std::span<const std::uint8_t> message)
        : m_at(message.data()), m_end(message.data() + message.size())
    {}

    /// @return false at the end of the message or where it is malformed; isOk() tells which
    bool next(WireField &field)
    {
        if (m_at == m_end)
            return false;
        std::uint64_t length = 0;
        m_isOk = readFieldHead(m_at, m_end, field, length) == WireOutcome::Ok &&
                 length <= static_cast<std::uint64_t>(m_end - m_at);
        if (!m_isOk)
            return false;
        field.bytes = {m_at, static_cast<std::size_t>(length)};
        m_at += length;
        return true;
    }

    bool isOk() const { return m_isOk; }
    const std::uint8_t *position() const { return m_at; }

private:
    const std::uint8_t *m_at;
    const std::uint8_t *m_end;
    bool m_isOk = true;
};

/// Calls `take` with each number of a repeated scalar field, packed or not. @return false if it is malformed
template <class Take>
bool forEachVarint(const WireField &field, Take take)
{
    if (field.isVarint()) {
        take(field.number64);
        return true;
    }
    if (!field.isBytes())
        return false;
    const std::uint8_t *at = field.bytes.data();
    const std::uint8_t *const end = at + field.bytes.size();
    while (at != end) {
        std::uint64_t value = 0;
        if (readVarint(at, end, value) != WireOutcome::Ok)
            return false;
        take(value);
    }
    return true;
}

/// The same for numbers of eight bytes each.
template <class Take>
bool forEachFixed64(const WireField &field, Take take)
{
    if (field.type == WireType::Fixed64) {
        take(field.number64);
        return true;
    }
    if (!field.isBytes() || field.bytes.size() % sizeof(std::uint64_t) != 0)
        return false;
    for (std::size_t at = 0; at < field.bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t value = 0;
        std::memcpy(&value, field.bytes.data() + at, sizeof value);
        take(value);
    }
    return true;
}

/// sint32 and sint64 are written so that small negative numbers are short.
constexpr std::uint64_t toZigzag(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t fromZigzag(std::uint64_t value)
{
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

} // namespace hearth
