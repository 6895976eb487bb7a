#pragma once

#include "ingest/server/byte_budget.h"
#include "ingest/server/http_rules.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hearth {

/// Bytes of a request that arrive or are unpacked bit by bit. Memory grows with what is there, not with what
/// the sender announces.
class Body {
public:
    enum class Growth { Ok, OverLimit, OverBudget };

    Body(std::size_t limit, ByteBudget &budget) : m_limit(limit), m_share(budget) {}

    /// Room behind what is there, to be filled and then added.
    Growth makeRoom();
    std::span<std::uint8_t> room() { return std::span(m_bytes).subspan(m_size); }
    void add(std::size_t count) { m_size += count; }

    std::span<const std::uint8_t> bytes() const { return {m_bytes.data(), m_size}; }

private:
    std::size_t m_limit;
    BudgetShare m_share;
    std::vector<std::uint8_t> m_bytes;
    std::size_t m_size = 0;
};

enum class UnpackVerdict { Ok, Damaged, OverLimit, OverBudget };

/// Takes off the compression. @param problem says what is wrong if the bytes are damaged
UnpackVerdict unpackBody(std::span<const std::uint8_t> packed, Packing packing, Body &into,
                         std::string &problem);

} // namespace hearth
