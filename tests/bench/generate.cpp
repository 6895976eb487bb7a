#include "tests/bench/generate.h"

#include "ingest/bytes/wire_writer.h"
#include "ingest/formats/pprof_wire.h"
#include "model/store/row_index.h"
#include "model/store/store.h"

#include <vector>

namespace hearth::bench {

namespace {

using namespace pprof;

/// The same numbers in every run, whatever the standard library.
class Chance {
public:
    std::uint64_t below(std::uint64_t limit)
    {
        m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (m_state >> 33) % limit;
    }
    /// Small numbers are likelier, as with functions: a few are in most stacks.
    std::uint64_t skewedBelow(std::uint64_t limit) { return below(below(limit) + 1); }

private:
    std::uint64_t m_state = 42;
};

/// Stacks as a random tree: each is a child of an earlier one, or begins anew.
struct Tree {
    std::vector<std::uint32_t> parent;
    std::vector<std::uint32_t> function;
    std::vector<std::uint32_t> depth;
};

Tree randomTree(std::size_t nodes, std::size_t functions, std::size_t depth, Chance &chance)
{
    Tree tree;
    for (std::size_t node = 0; node < nodes; ++node) {
        // Deep chains with branches here and there.
        std::uint32_t parent = ~0U;
        if (node > 0 && chance.below(1000) != 0) {
            parent = static_cast<std::uint32_t>(node - 1);
            if (tree.depth[parent] >= depth + chance.below(depth) || chance.below(depth / 2) == 0)
                parent = static_cast<std::uint32_t>(chance.below(node));
        }
        tree.parent.push_back(parent);
        tree.function.push_back(static_cast<std::uint32_t>(chance.skewedBelow(functions)));
        tree.depth.push_back(parent == ~0U ? 1 : tree.depth[parent] + 1);
    }
    return tree;
}

std::string functionName(std::size_t number)
{
    return "service::module" + std::to_string(number % 97) + "::Component" + std::to_string(number % 1009) +
           "::doTheWork" + std::to_string(number) + "(std::string const&, int)";
}

} // namespace

std::string pprofBytes(const ProfileSize &size)
{
    Chance chance;
    const Tree tree = randomTree(size.stacks, size.functions, size.depth, chance);
    std::string out;
    WireWriter profile(out);
    constexpr std::size_t kFirstName = 8;
    for (const auto &[type, unit] : {std::pair(1, 2), std::pair(3, 4)}) {
        std::string message;
        WireWriter(message).number(ValueTypeField::Type, static_cast<std::uint64_t>(type));
        WireWriter(message).number(ValueTypeField::Unit, static_cast<std::uint64_t>(unit));
        profile.bytes(ProfileField::SampleType, message);
    }
    std::string message;
    std::string packed;
    for (std::size_t i = 0; i < size.samples; ++i) {
        message.clear();
        packed.clear();
        for (std::size_t node = chance.below(size.stacks); node != ~0U; node = tree.parent[node])
            WireWriter(packed).varint(tree.function[node] + 1);
        WireWriter(message).bytes(SampleField::LocationId, packed);
        packed.clear();
        const std::uint64_t count = 1 + chance.below(4);
        WireWriter(packed).varint(count);
        WireWriter(packed).varint(count * 10'000'000);
        WireWriter(message).bytes(SampleField::Value, packed);
        packed.clear();
        WireWriter(packed).number(LabelField::Key, 5);
        WireWriter(packed).number(LabelField::Text, kFirstName + chance.below(size.threads));
        WireWriter(message).bytes(SampleField::Label, packed);
        profile.bytes(ProfileField::Sample, message);
    }
    for (std::size_t i = 0; i < size.functions; ++i) {
        std::string line;
        WireWriter(line).number(LineField::FunctionId, i + 1);
        WireWriter(line).number(LineField::Line, i % 1000 + 1);
        message.clear();
        WireWriter(message).number(LocationField::Id, i + 1);
        WireWriter(message).number(LocationField::Address, 0x400000 + 64 * i);
        WireWriter(message).bytes(LocationField::Line, line);
        profile.bytes(ProfileField::Location, message);
        message.clear();
        WireWriter(message).number(FunctionField::Id, i + 1);
        WireWriter(message).number(FunctionField::Name, kFirstName + size.threads + i);
        WireWriter(message).number(FunctionField::Filename, 6);
        profile.bytes(ProfileField::Function, message);
    }
    for (const char *text : {"", "samples", "count", "cpu", "nanoseconds", "thread", "/src/file.cpp", "x"})
        profile.bytes(ProfileField::StringTable, text);
    for (std::size_t i = 0; i < size.threads; ++i)
        profile.bytes(ProfileField::StringTable, "worker-" + std::to_string(i));
    for (std::size_t i = 0; i < size.functions; ++i)
        profile.bytes(ProfileField::StringTable, functionName(i));
    return out;
}

namespace {

/// Functions with a frame each, of the same numbers.
void addFunctions(Batch &batch, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        Function function;
        function.name = batch.addString(functionName(i));
        batch.functions.push_back(function);
        batch.lines.push_back({.line = 1, .function = FunctionId(i), .column = 0});
        Frame frame;
        frame.lineBegin = static_cast<std::uint32_t>(i);
        frame.lineCount = 1;
        batch.frames.push_back(frame);
    }
}

/// Rows on their way into chunks of a block.
class ChunkedRows {
public:
    explicit ChunkedRows(SampleBlock &block) : m_block(block), m_rows(1) {}
    ~ChunkedRows()
    {
        if (m_rows.size() > 0)
            m_block.chunks.emplace_back(m_rows);
    }
    ChunkedRows(const ChunkedRows &) = delete;
    ChunkedRows &operator=(const ChunkedRows &) = delete;

    void add(StackId stack, ContextId context, std::int64_t time, std::int64_t value, LinkId link = {})
    {
        m_rows.add(stack, context, link, time, std::span(&value, 1));
        if (m_rows.size() < SampleChunk::kRows)
            return;
        m_block.chunks.emplace_back(m_rows);
        m_rows.clear();
    }

private:
    SampleBlock &m_block;
    SampleRows m_rows;
};

std::shared_ptr<const Snapshot> stored(Batch batch)
{
    Store store;
    store.append(std::move(batch));
    return store.publish();
}

} // namespace

std::shared_ptr<const Snapshot> agentSnapshot(std::size_t samples, std::size_t stacks, std::size_t threads)
{
    constexpr std::size_t kFunctions = 20'000;
    constexpr std::int64_t kStart = 1'700'000'000'000'000'000;
    Chance chance;
    Batch batch;
    addFunctions(batch, kFunctions);
    const Tree tree = randomTree(stacks, kFunctions, 30, chance);
    for (std::size_t i = 0; i < stacks; ++i)
        batch.stacks.push_back(
            {StackId(tree.parent[i] == ~0U ? 0 : tree.parent[i] + 1), FrameId(tree.function[i])});
    const StringId key = batch.addString("thread.name");
    for (std::size_t i = 0; i < threads; ++i) {
        Attribute attribute;
        attribute.key = key;
        attribute.bits = batch.addString("thread-" + std::to_string(i)).value;
        batch.attributeLists.emplace_back(batch.attributes.size());
        batch.attributes.push_back(attribute);
        batch.contexts.push_back({{}, {}, AttributeSetId(batch.attributeSets.size())});
        batch.attributeSets.push_back({static_cast<std::uint32_t>(i), 1});
    }
    SampleBlock block;
    block.series.push_back({batch.addString("samples"), batch.addString("count")});
    block.hasTimes = true;
    {
        ChunkedRows rows(block);
        for (std::size_t i = 0; i < samples; ++i)
            rows.add(StackId(1 + chance.below(stacks)), ContextId(1 + chance.below(threads)),
                     kStart + static_cast<std::int64_t>(i * 1'000'000 + chance.below(1'000'000)), 1);
    }
    batch.blocks.push_back(std::move(block));
    return stored(std::move(batch));
}

namespace {

/// A context for each service. They come first.
void addServices(Batch &batch, std::size_t count)
{
    const StringId key = batch.addString("service.name");
    for (std::size_t i = 0; i < count; ++i) {
        Attribute attribute;
        attribute.key = key;
        attribute.bits = batch.addString("service-" + std::to_string(i)).value;
        batch.attributeLists.emplace_back(batch.attributes.size());
        batch.attributes.push_back(attribute);
        batch.contexts.push_back({AttributeSetId(batch.attributeSets.size()), {}, {}});
        batch.attributeSets.push_back({static_cast<std::uint32_t>(i), 1});
    }
}

/// Links are numbered like spans, from 1 on. Children arrive before their parents, as they end first.
void addSpans(Batch &batch, std::size_t count, std::size_t ofATrace, std::size_t services, std::int64_t start,
              Chance &chance)
{
    std::vector<StringId> names;
    for (int i = 0; i < 40; ++i)
        names.push_back(batch.addString("GET /resource/" + std::to_string(i)));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t trace = i / ofATrace;
        const std::size_t last = (trace + 1) * ofATrace - 1; // the root
        Link link;
        for (std::size_t byte = 0; byte < 8; ++byte) {
            link.trace[byte] = static_cast<std::uint8_t>((trace + 1) >> (8 * byte));
            link.span[byte] = static_cast<std::uint8_t>((i + 1) >> (8 * byte));
        }
        batch.links.push_back(link);
        Span span;
        span.id = LinkId(i + 1);
        span.parent = i == last ? LinkId() : LinkId(i + 1 + 1 + chance.below(last - i));
        span.startNs = static_cast<std::uint64_t>(start) + trace * 80'000 + chance.below(10'000'000);
        span.endNs = span.startNs + 1'000 + chance.skewedBelow(400'000'000);
        span.context = ContextId(1 + chance.below(services));
        span.name = names[chance.below(names.size())];
        span.status = chance.below(100) == 0 ? SpanStatus::Error : SpanStatus::Unset;
        batch.spans.rows.push_back(span);
    }
}

} // namespace

std::shared_ptr<const Snapshot> tracedSnapshot(std::size_t spans, std::size_t samples, std::size_t stacks,
                                               std::size_t spansOfATrace)
{
    constexpr std::size_t kServices = 6;
    constexpr std::size_t kFunctions = 20'000;
    constexpr std::size_t kAtOnce = 64; // so many spans run at the same time
    constexpr std::int64_t kStart = 1'700'000'000'000'000'000;
    Chance chance;
    Batch batch;
    addFunctions(batch, kFunctions);
    addServices(batch, kServices);
    addSpans(batch, spans, spansOfATrace, kServices, kStart, chance);
    const Tree tree = randomTree(stacks, kFunctions, 30, chance);
    for (std::size_t i = 0; i < stacks; ++i)
        batch.stacks.push_back(
            {StackId(tree.parent[i] == ~0U ? 0 : tree.parent[i] + 1), FrameId(tree.function[i])});
    SampleBlock block;
    block.series.push_back({batch.addString("samples"), batch.addString("count")});
    block.periodType = batch.addString("cpu");
    block.periodUnit = batch.addString("nanoseconds");
    block.period = 1'000'000;
    block.hasTimes = true;
    {
        ChunkedRows rows(block);
        for (std::size_t i = 0; i < samples; ++i) {
            const std::size_t span = std::min(spans - 1, i * spans / samples + chance.below(kAtOnce));
            rows.add(StackId(1 + chance.below(stacks)), ContextId(1 + chance.below(kServices)),
                     kStart + static_cast<std::int64_t>(i * 1'000 + chance.below(1'000)), 1,
                     LinkId(span + 1));
        }
    }
    batch.blocks.push_back(std::move(block));
    return stored(std::move(batch));
}

std::shared_ptr<const Snapshot> functionsSnapshot(std::size_t functions)
{
    Batch batch;
    addFunctions(batch, functions);
    SampleBlock block;
    block.series.push_back({batch.addString("samples"), batch.addString("count")});
    {
        ChunkedRows rows(block);
        for (std::size_t i = 0; i < functions; ++i) {
            batch.stacks.push_back({StackId(), FrameId(i)});
            rows.add(StackId(1 + i), ContextId(), 0, static_cast<std::int64_t>(1 + i * 7919 % 1000));
        }
    }
    batch.blocks.push_back(std::move(block));
    return stored(std::move(batch));
}

} // namespace hearth::bench
