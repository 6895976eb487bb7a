#pragma once

#include "model/store/batch.h"
#include "model/store/published.h"
#include "model/store/snapshot.h"
#include "model/store/symbols.h"
#include "model/store/tables.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hearth {

/// One data set. A single thread, the writer, appends and publishes; any thread may take the latest snapshot.
class Store {
public:
    static constexpr std::size_t kUnlimited = ~std::size_t(0);

    explicit Store(std::size_t memoryBudget = kUnlimited);

    /// Writer only: adds the batch. When the budget is exceeded, the oldest sealed chunks go and are counted.
    void append(Batch batch);

    /// Writer only: names frames, and says where the names of binaries are from. Samples are not touched;
    /// snapshots published later show the names.
    void apply(const SymbolUpdate &update);

    /// Writer only: makes all that was added so far visible to readers.
    std::shared_ptr<const Snapshot> publish();

    /// Any thread: what was published last; empty before the first publication.
    std::shared_ptr<const Snapshot> snapshot() const { return m_published.latest(); }

    MemoryUse memoryUse() const;

private:
    struct StoredChunk {
        std::uint64_t serial = 0; ///< order of arrival over all tables
        std::shared_ptr<const SampleChunk> chunk;
    };
    struct OpenTable {
        explicit OpenTable(SampleTable description) : table(std::move(description)), open(table.series.size())
        {}

        SampleTable table; ///< without chunks
        std::vector<StoredChunk> sealed;
        SampleRows open;
        std::size_t sealedBytes = 0;
    };

    template <class Chunk>
    void appendRecords(RecordLog<Chunk> &log, Chunk &records, const BatchMaps &maps);

    OpenTable &tableFor(const SampleBlock &block, const BatchMaps &maps);
    void appendChunk(OpenTable &table, SampleChunk chunk, const BatchMaps &maps);
    void seal(OpenTable &table, SampleChunk chunk);
    void addOrigin(Origin origin);
    void applyNames(const std::vector<FrameSymbols> &frames);
    void applyBinaries(const std::vector<BinarySymbols> &binaries);
    void evict();
    void evictSamples(OpenTable &table);

    const std::size_t m_budget;
    const std::uint64_t m_number; ///< no other store has it
    Tables m_tables;
    std::vector<std::unique_ptr<OpenTable>> m_samples;
    RecordLog<SpanChunk> m_spans;
    RecordLog<LogChunk> m_logs;
    RecordLog<MetricChunk> m_points;
    std::vector<Origin> m_origins;
    Losses m_losses;
    std::shared_ptr<const std::vector<SymbolRange>> m_symbols;
    std::shared_ptr<const std::vector<BinarySymbols>> m_binarySymbols;
    std::uint64_t m_nextSerial = 0;
    std::uint64_t m_version = 0;
    std::uint64_t m_symbolVersion = 0;

    Published<Snapshot> m_published;
};

} // namespace hearth
