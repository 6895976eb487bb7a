#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

/// 96 bits that stand for some bytes: equal digests are taken for equal bytes, which then need not be kept.
struct Digest {
    std::uint64_t low = 0;
    std::uint32_t high = 0;

    bool operator==(const Digest &) const = default;
};
/// Seeded by chance at the start of the program, so no file can be made to collide.
Digest digestOf(std::span<const std::uint8_t> bytes);

/// Remembers a number for each distinct run of bytes.
class DigestMap {
public:
    static constexpr std::uint32_t kNew = 0xffffffffU;

    /// @return the number of this digest, kNew if it has none yet; set it before the next call. Never kNew
    /// itself.
    std::uint32_t &operator[](const Digest &digest)
    {
        if (m_size >= m_slots.size() / 4 * 3)
            grow();
        Slot &slot = m_slots[slotOf(digest)];
        if (slot.number == kNew) {
            slot.low = digest.low;
            slot.high = digest.high;
            ++m_size;
        }
        return slot.number;
    }
    /// Inlined at once, for GCC takes a function that only prefetches for one that does nothing, and drops
    /// calls.
    [[gnu::always_inline]] void prefetch(const Digest &digest) const
    {
        if (!m_slots.empty())
            __builtin_prefetch(&m_slots[digest.low & (m_slots.size() - 1)]);
    }
    std::size_t size() const { return m_size; }
    std::size_t bytes() const { return m_slots.capacity() * sizeof(Slot); }

private:
    struct Slot {
        std::uint64_t low = 0;
        std::uint32_t high = 0;
        std::uint32_t number = kNew;

        Digest digest() const { return {low, high}; }
    };
    static_assert(sizeof(Slot) == 16); // never on two lines of the cache

    std::size_t slotOf(const Digest &digest) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = digest.low & mask;
        while (m_slots[at].number != kNew && m_slots[at].digest() != digest)
            at = (at + 1) & mask;
        return at;
    }
    void grow()
    {
        std::vector<Slot> old(m_slots.empty() ? 64 : m_slots.size() * 2);
        old.swap(m_slots);
        for (const Slot &slot : old)
            if (slot.number != kNew)
                m_slots[slotOf(slot.digest())] = slot;
    }

    std::vector<Slot> m_slots;
    std::size_t m_size = 0;
};

} // namespace hearth
