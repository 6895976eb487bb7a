#include "model/store/store.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>

namespace hearth {

namespace {

std::uint64_t nextNumber()
{
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

} // namespace

Store::Store(std::size_t memoryBudget) : m_budget(memoryBudget), m_number(nextNumber()) {}

void Store::append(Batch batch)
{
    const BatchMaps maps = m_tables.intern(batch);
    for (SampleBlock &block : batch.blocks) {
        OpenTable &table = tableFor(block, maps);
        for (SampleChunk &chunk : block.chunks)
            appendChunk(table, std::move(chunk), maps);
        block.chunks.clear();
    }
    appendRecords(m_spans, batch.spans, maps);
    appendRecords(m_logs, batch.logs, maps);
    appendRecords(m_points, batch.points, maps);
    addOrigin(std::move(batch.origin));
    m_losses.add(batch.losses);
    evict();
}

/// A sender that sends all day long is one origin, and so is a file in many pieces.
void Store::addOrigin(Origin origin)
{
    const auto known = std::ranges::find_if(m_origins, [&](const Origin &other) {
        return other.name == origin.name && other.format == origin.format &&
               other.generation == origin.generation && other.comments == origin.comments &&
               other.dropFrames == origin.dropFrames && other.keepFrames == origin.keepFrames &&
               other.defaultSeries == origin.defaultSeries && other.docUrl == origin.docUrl;
    });
    if (known == m_origins.end()) {
        m_origins.push_back(std::move(origin));
        return;
    }
    std::ranges::move(origin.findings, std::back_inserter(known->findings));
    if (origin.timeNs == 0)
        return;
    const std::int64_t end = std::max(known->timeNs + known->durationNs, origin.timeNs + origin.durationNs);
    known->timeNs = known->timeNs == 0 ? origin.timeNs : std::min(known->timeNs, origin.timeNs);
    known->durationNs = end - known->timeNs;
}

namespace {

/// Turns ids of a batch into ids of the store.
class Remap {
public:
    explicit Remap(const BatchMaps &maps) : m_maps(maps) {}

    void operator()(StringId &id) const { id = m_maps.strings[id.value]; }
    void operator()(AttributeSetId &id) const { id = m_maps.attributeSets[id.value]; }
    void operator()(ContextId &id) const { id = m_maps.contexts[id.value]; }
    void operator()(LinkId &id) const { id = m_maps.links[id.value]; }
    void operator()(MetricId &id) const { id = m_maps.metrics[id.value]; }

private:
    const BatchMaps &m_maps;
};

} // namespace

template <class Chunk>
void Store::appendRecords(RecordLog<Chunk> &log, Chunk &records, const BatchMaps &maps)
{
    if (records.rows.empty())
        return;
    records.forEachId(Remap(maps));
    log.append(records, m_nextSerial);
}

Store::OpenTable &Store::tableFor(const SampleBlock &block, const BatchMaps &maps)
{
    SampleTable wanted;
    for (const Series &series : block.series)
        wanted.series.push_back(
            m_tables.internSeries({maps.strings[series.type.value], maps.strings[series.unit.value]}));
    wanted.periodType = maps.strings[block.periodType.value];
    wanted.periodUnit = maps.strings[block.periodUnit.value];
    wanted.period = block.period;
    wanted.hasTimes = block.hasTimes;
    for (const auto &open : m_samples) {
        const SampleTable &table = open->table;
        if (table.series == wanted.series && table.periodType == wanted.periodType &&
            table.periodUnit == wanted.periodUnit && table.period == wanted.period &&
            table.hasTimes == wanted.hasTimes)
            return *open;
    }
    return *m_samples.emplace_back(std::make_unique<OpenTable>(std::move(wanted)));
}

void Store::appendChunk(OpenTable &table, SampleChunk chunk, const BatchMaps &maps)
{
    const bool isLarge = chunk.rows() > SampleChunk::kRows / 2;
    if (isLarge && table.open.size() == 0) {
        seal(table, std::move(chunk).remapped(maps.stacks, maps.contexts, maps.links));
        return;
    }
    if (table.open.size() + chunk.rows() > SampleChunk::kRows) {
        seal(table, SampleChunk(table.open));
        table.open.clear();
    }
    chunk.appendTo(table.open, maps.stacks, maps.contexts, maps.links);
}

void Store::seal(OpenTable &table, SampleChunk chunk)
{
    auto sealed = std::make_shared<const SampleChunk>(std::move(chunk));
    table.sealedBytes += sealed->bytes();
    table.table.rows += sealed->rows();
    table.sealed.push_back({m_nextSerial++, std::move(sealed)});
}

void Store::evict()
{
    while (memoryUse().total() > m_budget) {
        struct Oldest {
            std::uint64_t serial = ~std::uint64_t(0);
            std::function<void()> drop;
        } oldest;
        const auto consider = [&](std::uint64_t serial, std::function<void()> drop) {
            if (serial < oldest.serial)
                oldest = {serial, std::move(drop)};
        };
        const auto considerRecords = [&](auto &log) {
            if (log.hasSealed())
                consider(log.oldestSerial(), [&] { m_losses.add(Loss::EvictedRecords, log.dropOldest()); });
        };
        for (const auto &table : m_samples)
            if (!table->sealed.empty())
                consider(table->sealed.front().serial, [&] { evictSamples(*table); });
        considerRecords(m_spans);
        considerRecords(m_logs);
        considerRecords(m_points);
        if (!oldest.drop)
            return; // only dictionary and open rows are left
        oldest.drop();
    }
}

void Store::evictSamples(OpenTable &table)
{
    const SampleChunk &chunk = *table.sealed.front().chunk;
    m_losses.add(Loss::EvictedSamples, chunk.rows());
    table.sealedBytes -= chunk.bytes();
    table.table.rows -= chunk.rows();
    table.sealed.erase(table.sealed.begin());
}

void Store::apply(const SymbolUpdate &update)
{
    if (!update.frames.empty())
        applyNames(update.frames);
    if (!update.binaries.empty())
        applyBinaries(update.binaries);
}

void Store::applyNames(const std::vector<FrameSymbols> &frames)
{
    std::vector<SymbolRange> symbols = m_symbols ? *m_symbols : std::vector<SymbolRange>();
    symbols.resize(m_tables.frameCount());
    std::vector<Line> lines;
    for (const FrameSymbols &found : frames) {
        lines.clear();
        for (const SymbolLine &symbol : found.chain) {
            const FunctionId function =
                m_tables.internFunction({.startLine = symbol.startLine,
                                         .name = m_tables.internString(symbol.name),
                                         .systemName = m_tables.internString(symbol.systemName),
                                         .file = m_tables.internString(symbol.file)});
            lines.push_back({.line = symbol.line, .function = function, .column = symbol.column});
        }
        symbols.at(found.frame.value) = {m_tables.appendLines(lines),
                                         static_cast<std::uint32_t>(lines.size())};
    }
    m_symbols = std::make_shared<const std::vector<SymbolRange>>(std::move(symbols));
    ++m_symbolVersion;
}

void Store::applyBinaries(const std::vector<BinarySymbols> &binaries)
{
    std::vector<BinarySymbols> all = m_binarySymbols ? *m_binarySymbols : std::vector<BinarySymbols>();
    for (const BinarySymbols &found : binaries) {
        if (all.size() <= found.binary.value)
            all.resize(found.binary.value + 1);
        all[found.binary.value] = found;
    }
    m_binarySymbols = std::make_shared<const std::vector<BinarySymbols>>(std::move(all));
}

std::shared_ptr<const Snapshot> Store::publish()
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->store = m_number;
    snapshot->version = ++m_version;
    snapshot->symbolVersion = m_symbolVersion;
    m_tables.publish(*snapshot);
    snapshot->symbols = m_symbols;
    snapshot->binarySymbols = m_binarySymbols;
    for (const auto &open : m_samples) {
        SampleTable table = open->table;
        for (const StoredChunk &stored : open->sealed)
            table.chunks.push_back(stored.chunk);
        table.sealed = table.chunks.size();
        if (open->open.size() > 0) {
            table.chunks.push_back(std::make_shared<const SampleChunk>(open->open));
            table.rows += open->open.size();
        }
        snapshot->tables.push_back(std::move(table));
    }
    snapshot->spans = m_spans.publish();
    snapshot->logs = m_logs.publish();
    snapshot->points = m_points.publish();
    snapshot->origins = m_origins;
    snapshot->losses = m_losses;
    snapshot->memory = memoryUse();
    m_published.publish(snapshot);
    return snapshot;
}

MemoryUse Store::memoryUse() const
{
    MemoryUse use;
    use.dictionary = m_tables.bytes();
    use.records = m_spans.bytes() + m_logs.bytes() + m_points.bytes();
    for (const auto &table : m_samples) {
        const std::size_t columns = table->open.values.size();
        use.samples += table->sealedBytes + table->open.size() * (20 + 8 * columns);
    }
    return use;
}

} // namespace hearth
