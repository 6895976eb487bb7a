#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Writes Protocol Buffers' wire format. Fields with the value 0 are left out, as proto3 does.

namespace hearth {

class WireWriter {
public:
    explicit WireWriter(std::string &out) : m_out(out) {}

    void varint(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            m_out.push_back(static_cast<char>(value | 0x80));
        m_out.push_back(static_cast<char>(value));
    }

    template <class Field>
    void number(Field field, std::uint64_t value)
    {
        if (value == 0)
            return;
        varint(static_cast<std::uint64_t>(field) << 3);
        varint(value);
    }
    /// Written even if it is 0: one of several fields that exclude each other.
    template <class Field>
    void present(Field field, std::uint64_t value)
    {
        varint(static_cast<std::uint64_t>(field) << 3);
        varint(value);
    }
    template <class Field>
    void fixed64(Field field, std::uint64_t value)
    {
        if (value != 0)
            presentFixed64(field, value);
    }
    template <class Field>
    void presentFixed64(Field field, std::uint64_t value)
    {
        varint((static_cast<std::uint64_t>(field) << 3) | 1);
        fixed(value, 8);
    }
    template <class Field>
    void fixed32(Field field, std::uint32_t value)
    {
        if (value == 0)
            return;
        varint((static_cast<std::uint64_t>(field) << 3) | 5);
        fixed(value, 4);
    }
    /// The bytes of a number, the lowest first, without a field.
    void fixed(std::uint64_t value, std::size_t size)
    {
        for (std::size_t i = 0; i < size; ++i)
            m_out.push_back(static_cast<char>(value >> (8 * i) & 255));
    }
    /// A field of text or of numbers in a row; left out if there are none.
    template <class Field>
    void nonEmpty(Field field, std::string_view payload)
    {
        if (!payload.empty())
            bytes(field, payload);
    }
    template <class Field>
    void bytes(Field field, std::string_view payload)
    {
        varint((static_cast<std::uint64_t>(field) << 3) | 2);
        varint(payload.size());
        m_out.append(payload);
    }

private:
    std::string &m_out;
};

} // namespace hearth
