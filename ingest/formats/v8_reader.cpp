#include "ingest/formats/format.h"
#include "ingest/formats/v8_nodes.h"

// Profiles of V8, by Node, Deno, Chrome's developer tools:
//
//   .cpuprofile   {"nodes": [{"id", "callFrame", "hitCount", "children": [id …]} …], "startTime", "endTime",
//                  "samples": [id …], "timeDeltas": [µs …]}
//                 of old: {"head": {"id", "functionName", …, "children": [{…} …]}, "samples", "timestamps"}
//   .heapprofile  {"head": {"callFrame", "selfSize", "id", "children": [{…} …]}, "samples"}

namespace hearth {

namespace {

/// Reads either of them: what its members are called tells them apart.
class V8Reader {
public:
    V8Reader(InputStream &input, const ReadOptions &options, std::string_view format)
        : m_input(input), m_builder(options, format, ProfileBuilder::Delivery::Whole),
          m_json(input, m_builder), m_nodes(m_builder)
    {}

    Result<Batch> readCpu();
    Result<Batch> readHeap();

private:
    Result<Batch> finish();

    InputStream &m_input;
    ProfileBuilder m_builder;
    JsonStream m_json;
    V8Nodes m_nodes;
};

Result<Batch> V8Reader::readCpu()
{
    std::int64_t start = 0;
    std::int64_t end = 0;
    m_json.forEachMember([&](std::string_view key) {
        if (key == "nodes")
            m_nodes.readNodes(m_json);
        else if (key == "head")
            m_nodes.readNode(m_json);
        else if (key == "samples")
            m_nodes.readSamples(m_json);
        else if (key == "timeDeltas")
            m_nodes.readDeltas(m_json);
        else if (key == "timestamps")
            m_nodes.readTimestamps(m_json);
        else if (key == "startTime")
            start = m_json.integer().value_or(0);
        else if (key == "endTime")
            end = m_json.integer().value_or(0);
    });
    m_nodes.finish(ContextId(), start, end);
    return finish();
}

Result<Batch> V8Reader::readHeap()
{
    m_json.forEachMember([&](std::string_view key) {
        if (key == "head")
            m_nodes.readNode(m_json);
    });
    m_nodes.finishWeights({.series = {{"space", "bytes"}}});
    return finish();
}

Result<Batch> V8Reader::finish()
{
    m_json.countLosses();
    return m_builder.finish(m_input);
}

Result<Batch> readV8Cpu(InputStream &input, const ReadOptions &options)
{
    return V8Reader(input, options, kV8Cpu.name).readCpu();
}

Result<Batch> readV8Heap(InputStream &input, const ReadOptions &options)
{
    return V8Reader(input, options, kV8Heap.name).readHeap();
}

} // namespace

const Format kV8Cpu{.name = "cpuprofile", .read = readV8Cpu};
const Format kV8Heap{.name = "heapprofile", .read = readV8Heap};

} // namespace hearth
