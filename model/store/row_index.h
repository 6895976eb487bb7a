#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hearth {

/// Finds the row of a table that equals a key. Keys live in the table's columns alone; this holds hashes and
/// rows.
///
/// Open addressing with linear probing, at most three quarters full: 11 to 21 bytes a row.
class RowIndex {
public:
    static constexpr std::uint32_t kNoRow = 0xffffffffU;

    /// @return the row with this hash that `equals`, or kNoRow
    template <class Equals>
    std::uint32_t find(std::uint64_t hash, Equals equals) const
    {
        if (m_slots.empty())
            return kNoRow;
        const auto tag = static_cast<std::uint32_t>(hash);
        for (std::size_t at = tag & m_mask;; at = (at + 1) & m_mask) {
            const Slot &slot = m_slots[at];
            if (slot.row == kNoRow || (slot.tag == tag && equals(slot.row)))
                return slot.row;
        }
    }

    /// REQUIRES: no row that equals this one has been inserted.
    void insert(std::uint64_t hash, std::uint32_t row)
    {
        if (m_size >= m_slots.size() / 4 * 3)
            grow();
        place({static_cast<std::uint32_t>(hash), row});
        ++m_size;
    }

    /// Brings the slot that a later find() begins at into the cache.
    void prefetch(std::uint64_t hash) const
    {
        if (!m_slots.empty())
            __builtin_prefetch(&m_slots[static_cast<std::uint32_t>(hash) & m_mask]);
    }

    void reserve(std::size_t rows)
    {
        while (rows > m_slots.size() / 4 * 3)
            grow();
    }
    std::size_t bytes() const { return m_slots.capacity() * sizeof(Slot); }

private:
    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t row = kNoRow;
    };

    void place(Slot slot)
    {
        std::size_t at = slot.tag & m_mask;
        while (m_slots[at].row != kNoRow)
            at = (at + 1) & m_mask;
        m_slots[at] = slot;
    }

    void grow()
    {
        std::vector<Slot> old(m_slots.empty() ? 16 : m_slots.size() * 2);
        old.swap(m_slots);
        m_mask = m_slots.size() - 1;
        for (const Slot &slot : old)
            if (slot.row != kNoRow)
                place(slot);
    }

    std::vector<Slot> m_slots;
    std::size_t m_mask = 0;
    std::size_t m_size = 0;
};

/// Looks up many keys: while one is looked up, the slots of those behind it come into the cache. One after
/// the other, these fetches would take most of the time.
///
/// Calls `hashOf(i)` and later `take(i, hash)` once for each i below `count`, each in order.
template <class HashOf, class Take>
void forEachPrefetched(std::size_t count, const RowIndex &index, HashOf hashOf, Take take)
{
    constexpr std::size_t kAhead = 32;
    std::array<std::uint64_t, kAhead> hashes;
    for (std::size_t begin = 0; begin < count; begin += kAhead) {
        const std::size_t end = std::min(begin + kAhead, count);
        for (std::size_t i = begin; i < end; ++i) {
            hashes[i - begin] = hashOf(i);
            index.prefetch(hashes[i - begin]);
        }
        for (std::size_t i = begin; i < end; ++i)
            take(i, hashes[i - begin]);
    }
}

/// Differs from run to run, so that no file can be made to fill one bucket.
std::uint64_t hashSeed();

/// Spreads the bits of two words.
inline std::uint64_t mixHash(std::uint64_t a, std::uint64_t b)
{
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a ^ 0x9e3779b97f4a7c15ULL) * (b ^ 0xe7037ed1a0b428dbULL);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

} // namespace hearth
