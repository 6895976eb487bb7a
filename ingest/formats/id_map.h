#pragma once

#include "model/store/row_index.h"

#include <cstdint>
#include <vector>

namespace hearth {

/// Gives the sparse 64-bit ids of a file dense numbers, in the order in which they are first mentioned.
///
/// Small ids, which nearly all writers use, are looked up in an array, others (addresses, say) by hash.
class IdMap {
public:
    std::uint32_t numberOf(std::uint64_t id)
    {
        if (id < m_small.size() && m_small[id] != RowIndex::kNoRow) [[likely]]
            return m_small[id];
        return id < kSmall ? addSmall(id) : findLarge(id);
    }
    std::uint32_t size() const { return m_size; }
    std::size_t bytes() const
    {
        return m_small.capacity() * 4 + m_large.capacity() * sizeof(Large) + m_index.bytes();
    }

private:
    static constexpr std::uint64_t kSmall = std::uint64_t(1) << 22;
    struct Large {
        std::uint64_t id;
        std::uint32_t number;
    };

    std::uint32_t addSmall(std::uint64_t id)
    {
        if (id >= m_small.size())
            m_small.resize(id + 1 + id / 2, RowIndex::kNoRow);
        return m_small[id] = m_size++;
    }
    std::uint32_t findLarge(std::uint64_t id)
    {
        const std::uint64_t hash = mixHash(id, hashSeed());
        const std::uint32_t row =
            m_index.find(hash, [&](std::uint32_t other) { return m_large[other].id == id; });
        if (row != RowIndex::kNoRow)
            return m_large[row].number;
        m_index.insert(hash, static_cast<std::uint32_t>(m_large.size()));
        m_large.push_back({id, m_size});
        return m_size++;
    }

    std::vector<std::uint32_t> m_small;
    std::vector<Large> m_large;
    RowIndex m_index;
    std::uint32_t m_size = 0;
};

} // namespace hearth
