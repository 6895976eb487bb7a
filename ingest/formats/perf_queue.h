#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace hearth::perf {

/// Brings records into the order of time. They were copied from one buffer a processor after the other; perf
/// says where a round of that is over, and then all records of the round before are there.
class Queue {
public:
    void add(std::uint64_t timeNs, std::span<const std::uint8_t> record)
    {
        m_newest = std::max(m_newest, timeNs);
        m_entries.push_back({timeNs, m_bytes.size(), record.size()});
        m_bytes.insert(m_bytes.end(), record.begin(), record.end());
    }

    /// Calls `take(record)` with those that nothing can precede any more.
    template <class Take>
    void finishRound(Take take)
    {
        deliver(m_round, take);
        m_round = m_newest;
    }
    template <class Take>
    void finish(Take take)
    {
        deliver(~std::uint64_t(0), take);
    }

    /// Without rounds the queue must not grow without end.
    bool isLong() const { return m_bytes.size() > kLong; }
    std::size_t bytes() const { return m_bytes.capacity() + m_entries.capacity() * sizeof(Entry); }

private:
    static constexpr std::size_t kLong = std::size_t(64) << 20;

    struct Entry {
        std::uint64_t timeNs = 0;
        std::size_t begin = 0;
        std::size_t size = 0;
    };

    template <class Take>
    void deliver(std::uint64_t untilNs, Take take)
    {
        std::ranges::stable_sort(m_entries, {}, &Entry::timeNs);
        const auto rest = std::ranges::upper_bound(m_entries, untilNs, {}, &Entry::timeNs);
        for (auto entry = m_entries.begin(); entry != rest; ++entry)
            take(std::span(m_bytes).subspan(entry->begin, entry->size));
        std::vector<std::uint8_t> bytes;
        for (auto entry = rest; entry != m_entries.end(); ++entry) {
            const std::size_t begin = bytes.size();
            const auto from = m_bytes.begin() + static_cast<std::ptrdiff_t>(entry->begin);
            bytes.insert(bytes.end(), from, from + static_cast<std::ptrdiff_t>(entry->size));
            entry->begin = begin;
        }
        m_entries.erase(m_entries.begin(), rest);
        m_bytes.swap(bytes);
    }

    std::vector<Entry> m_entries;
    std::vector<std::uint8_t> m_bytes;
    std::uint64_t m_newest = 0;
    std::uint64_t m_round = 0; ///< the newest record of the round before
};

} // namespace hearth::perf
