#pragma once

#include "ingest/bytes/wire.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

/// The fields of a message, as far as it is at hand.
class MessageFields {
public:
    explicit MessageFields(std::span<const std::uint8_t> message);

    bool isMessage() const { return m_isMessage; }
    bool has(std::uint32_t number, WireType type) const
    {
        return std::ranges::any_of(
            m_fields, [=](const WireField &field) { return field.number == number && field.type == type; });
    }
    bool hasOnlyBytes(std::uint32_t last) const
    {
        return m_isMessage && std::ranges::all_of(m_fields, [=](const WireField &field) {
                   return field.isBytes() && field.number <= last;
               });
    }
    /// The first payload of this number that is not empty.
    std::span<const std::uint8_t> bytes(std::uint32_t number) const
    {
        for (const WireField &field : m_fields)
            if (field.number == number && field.isBytes() && !field.bytes.empty())
                return field.bytes;
        return {};
    }

private:
    static constexpr std::size_t kMostFields = 256;

    std::vector<WireField> m_fields;
    bool m_isMessage = true;
};

} // namespace hearth
