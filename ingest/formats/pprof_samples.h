#pragma once

#include "ingest/bytes/wire.h"
#include "ingest/formats/digest_map.h"
#include "ingest/formats/id_map.h"
#include "model/store/batch.h"
#include "model/store/stack_tree.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hearth::pprof {

/// Decodes Sample messages. They come before the tables that they refer to, so locations are known by number
/// and strings by index only; the reader replaces both when it has seen everything.
///
/// Samples repeat their location lists and label sets. Each distinct run of bytes is decoded once; after that
/// it is recognised by its digest.
class SampleDecoder {
public:
    explicit SampleDecoder(Batch &batch) : m_batch(batch) {}

    /// How many values a sample must have. Without it, the first sample decides; later is too late.
    void setValueColumns(std::size_t count)
    {
        if (m_chunks.empty() && m_pending.empty() && (!m_rows || m_rows->size() == 0))
            m_rows.emplace(count);
    }
    std::size_t valueColumns() const { return m_rows ? m_rows->values.size() : 0; }

    /// The message must stay where it is until flush().
    void decode(std::span<const std::uint8_t> message);

    /// Finishes the samples that were decoded so far.
    void flush();

    /// Ends the last chunk. @return all of them, their stacks and contexts being rows of the batch
    std::vector<SampleChunk> finish();

    IdMap &locations() { return m_locations; }
    std::size_t bytes() const;

    /// Stands for a string index that does not fit an id.
    static StringId stringIndex(std::uint64_t index);

private:
    struct Parts;

    bool split(std::span<const std::uint8_t> message, Parts &parts);
    StackId stackOf(const Digest &digest, std::span<const std::uint8_t> locationIds);
    ContextId contextOf(const Digest &digest, std::span<const std::uint8_t> labels);
    ContextId addContext(std::span<const std::uint8_t> labels);
    bool areLabelsRepeated() const;
    bool decodeLabel(std::span<const std::uint8_t> message);

    /// A sample whose stack and context are yet to be looked up. The places to look at are fetched from
    /// memory meanwhile, for tens of samples at once: one after the other, these fetches would take most of
    /// the time.
    struct Pending {
        std::span<const std::uint8_t> locationIds;
        std::span<const std::uint8_t> labels;
        Digest stack;
        Digest context;
    };
    static constexpr std::size_t kPending = 32;

    Batch &m_batch;
    std::vector<Pending> m_pending;
    std::vector<std::int64_t> m_pendingValues; ///< of all pending samples, one behind the other
    std::optional<SampleRows> m_rows;
    std::vector<SampleChunk> m_chunks;
    std::size_t m_chunkBytes = 0;

    IdMap m_locations;
    StackTree m_stacks;
    DigestMap m_stackOfList;
    DigestMap m_contextOfLabels;
    std::uint64_t m_labelledSamples = 0;
    bool m_remembersLabels = true;

    std::vector<FrameId> m_path;
    std::vector<std::int64_t> m_values;
    std::vector<std::uint8_t> m_scattered; ///< location ids that did not come in one piece
    std::vector<std::uint8_t> m_labels;
};

} // namespace hearth::pprof
