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
