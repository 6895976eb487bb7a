#include "tests/support/sampled_places.h"

#include "ingest/elf/symbol_table.h"
#include "ingest/symbols/symbolizer.h"
#include "model/store/store.h"

#include <stdexcept>

namespace hearth::test {

Batch batchOfPlaces(const std::vector<SampledPlace> &samples, std::int64_t timeNs)
{
    Batch batch;
    batch.origin.timeNs = timeNs;
    SampleBlock block;
    block.series = {{batch.addString("samples"), batch.addString("count")}};
    SampleRows rows(1);
    for (const SampledPlace &sample : samples) {
        Binary &binary = batch.binaries.emplace_back();
        binary.path = batch.addString(sample.path);
        binary.buildId = batch.addString(sample.buildId);
        binary.goBuildId = batch.addString(sample.goBuildId);
        binary.fileHash = batch.addString(sample.fileHash);
        batch.mappings.push_back({.binary = BinaryId(batch.binaries.size() - 1)});
        batch.frames.push_back({.address = sample.offset,
                                .mapping = MappingId(batch.mappings.size() - 1),
                                .kind = batch.addString("native")});
        batch.stacks.push_back({StackId(0), FrameId(batch.frames.size() - 1)});
        rows.add(StackId(batch.stacks.size() - 1), {}, {}, 0, std::span(&sample.weight, 1));
    }
    block.chunks.emplace_back(rows);
    batch.blocks.push_back(std::move(block));
    return batch;
}

std::shared_ptr<const Snapshot> namedPlaces(const std::vector<SampledPlace> &samples)
{
    Store store;
    store.append(batchOfPlaces(samples));
    Symbolizer({}).resolve(*store.publish(),
                           {.take = [&](const SymbolUpdate &update) { store.apply(update); }}, {});
    return store.publish();
}

std::uint64_t offsetOfFunction(const std::string &path, std::string_view function)
{
    const auto file = ElfFile::open(path).value();
    const SymbolTable table(*file);
    for (const ElfSegment &segment : file->segments())
        for (std::uint64_t address = segment.address;
             segment.isExecutable && address < segment.address + segment.size; ++address)
            if (const auto found = table.find(address); found && found->name == function)
                return file->offsetOfAddress(address).value();
    throw std::runtime_error("there is no function " + std::string(function));
}

std::string buildIdOf(const std::string &path)
{
    return ElfFile::open(path).value()->buildId();
}

} // namespace hearth::test
