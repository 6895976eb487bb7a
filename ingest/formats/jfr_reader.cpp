#include "ingest/formats/format.h"
#include "ingest/formats/jfr_chunk.h"

#include <algorithm>

// JDK Flight Recorder (jdk/src/hotspot/share/jfr), from version 9 on, and async-profiler's:
//
//   chunk …            each can be read by itself
//   chunk  "FLR\0", version, size, where its last checkpoint and its metadata are, times; then events
//   event  size, type, fields: as the metadata says, which is an event itself, of type 0
//   checkpoint         an event of type 1: what other events refer to, by type
//
// Numbers in heads are whole with the highest byte first, in events packed.

namespace hearth {

namespace {

constexpr std::uint64_t kLargestChunk = std::uint64_t(1) << 30;

class JfrReader {
public:
    JfrReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kJfr.name, ProfileBuilder::Delivery::InParts)
    {}

    Result<Batch> read();

private:
    bool readChunk();
    std::string place() const { return "byte " + std::to_string(m_input.position()); }
    bool goesOn()
    {
        return m_builder.goesOn(m_input.position(), [this] { return place(); });
    }

    InputStream &m_input;
    ProfileBuilder m_builder;
};

Result<Batch> JfrReader::read()
{
    m_builder.batch().origin.defaultSeries = "samples"; // whatever comes first
    while (goesOn() && m_input.ensure(1) && readChunk()) {
    }
    return m_builder.finish(m_input);
}

/// @return false if nothing can be read behind it
bool JfrReader::readChunk()
{
    m_input.ensure(jfr::ChunkHead::kSize);
    const auto head = jfr::ChunkHead::read(m_input.window());
    if (!head || (head->size != 0 && head->size < jfr::ChunkHead::kSize)) {
        m_builder.losses().add(Loss::DamagedInput, "no chunk at " + place());
        return false;
    }
    // Of a Java that was killed the last chunk has no size.
    const std::uint64_t size = head->size == 0 ? kLargestChunk : head->size;
    if (size > kLargestChunk) {
        m_builder.losses().add(Loss::OversizedFields,
                               "a chunk of " + std::to_string(size) + " bytes at " + place());
        return false;
    }
    const bool isWhole = m_input.ensure(size);
    const auto bytes = m_input.window().first(std::min<std::size_t>(size, m_input.window().size()));
    const bool isRead = jfr::Chunk(m_builder, *head).read(bytes);
    if (!isWhole || !isRead)
        m_builder.losses().add(isWhole ? Loss::DamagedInput : Loss::TruncatedInput,
                               "the chunk at " + place() +
                                   (isWhole ? " cannot be understood" : " is cut off") +
                                   (isRead ? "" : "; nothing of it was read"));
    m_input.consume(bytes.size());
    return isWhole;
}

Result<Batch> readJfr(InputStream &input, const ReadOptions &options)
{
    return JfrReader(input, options).read();
}

} // namespace

const Format kJfr{.name = "jfr", .read = readJfr};

} // namespace hearth
