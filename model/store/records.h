#pragma once

#include "model/store/logs.h"
#include "model/store/metrics.h"
#include "model/store/spans.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

// Spans, log records and metric points: what arrives one by one and is never summed up as samples are.

namespace hearth {

/// Records of one kind as published, in the order of their arrival.
template <class Chunk>
struct Records {
    std::vector<std::shared_ptr<const Chunk>> chunks; ///< all but the last of RecordLog::kRows
    std::uint64_t rows = 0;
    std::uint64_t evicted = 0; ///< how many rows went that were before these

    /// Calls `visit(chunk, row)` with each record.
    template <class Visit>
    void forEach(Visit visit) const
    {
        for (const auto &chunk : chunks)
            for (const auto &row : chunk->rows)
                visit(*chunk, row);
    }
};

/// Records of one kind in a Store. A full chunk is sealed and never changes again.
template <class Chunk>
class RecordLog {
public:
    static constexpr std::size_t kRows = 4096;

    /// @param serial the order of chunks over all tables of the store; counted on
    void append(const Chunk &records, std::uint64_t &serial)
    {
        for (std::size_t row = 0; row < records.rows.size(); ++row) {
            m_open.add(records, row);
            if (m_open.rows.size() == kRows) {
                m_sealedBytes += m_open.bytes();
                m_sealedRows += kRows;
                m_sealed.push_back({serial++, std::make_shared<const Chunk>(std::move(m_open))});
                m_open = Chunk();
            }
        }
        m_openCopy.reset();
    }

    bool hasSealed() const { return !m_sealed.empty(); }
    std::uint64_t oldestSerial() const { return m_sealed.front().serial; }

    /// REQUIRES: hasSealed(). @return how many rows went
    std::size_t dropOldest()
    {
        const Chunk &oldest = *m_sealed.front().chunk;
        const std::size_t rows = oldest.rows.size();
        m_sealedBytes -= oldest.bytes();
        m_sealedRows -= rows;
        m_evictedRows += rows;
        m_sealed.erase(m_sealed.begin());
        return rows;
    }

    std::size_t bytes() const { return m_sealedBytes + m_open.bytes(); }

    Records<Chunk> publish()
    {
        Records<Chunk> records;
        for (const Sealed &sealed : m_sealed)
            records.chunks.push_back(sealed.chunk);
        if (!m_open.rows.empty()) {
            if (!m_openCopy)
                m_openCopy = std::make_shared<const Chunk>(m_open);
            records.chunks.push_back(m_openCopy);
        }
        records.rows = m_sealedRows + m_open.rows.size();
        records.evicted = m_evictedRows;
        return records;
    }

private:
    struct Sealed {
        std::uint64_t serial = 0;
        std::shared_ptr<const Chunk> chunk;
    };

    std::vector<Sealed> m_sealed;
    Chunk m_open;
    std::shared_ptr<const Chunk> m_openCopy; ///< of m_open, if nothing was appended since
    std::size_t m_sealedBytes = 0;
    std::uint64_t m_sealedRows = 0;
    std::uint64_t m_evictedRows = 0;
};

} // namespace hearth
