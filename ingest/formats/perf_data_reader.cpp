#include "ingest/formats/format.h"
#include "ingest/formats/perf_queue.h"
#include "ingest/formats/perf_samples.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>

// perf.data, as `perf record` writes it (tools/perf/Documentation/perf.data-file-format.txt):
//
//   file   "PERFILE2", size of this head, size of an attr, where attrs, records and event types are, 256 bits
//   that
//          say which sections follow the records; attrs with the place of their ids; ids; records; for each
//          bit the place of its section; sections
//   pipe   "PERFILE2", 16; records, among them those that tell of attrs and sections
//
//   record u32 type, u16 misc, u16 size of all of it
//
// All numbers are in the byte order of the machine. Records may be packed in others, by zstd.

namespace hearth {

namespace {

using perf::Bytes;
using perf::RecordHead;
using perf::RecordType;

constexpr std::size_t kLargestSection = std::size_t(64) << 20;
constexpr std::uint64_t kPipeHead = 16;

enum class Feature : std::uint32_t { BuildId = 2, Hostname = 3, CommandLine = 11, EventDescription = 12 };

struct Section {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

Section readSection(Bytes &bytes)
{
    Section section;
    section.offset = bytes.u64();
    section.size = bytes.u64();
    return section;
}

/// A length, then a text with zeros behind it.
std::string_view readText(Bytes &bytes)
{
    return bytes.text(bytes.u32());
}

struct ZstdStreamDeleter {
    void operator()(ZSTD_DStream *stream) const { ZSTD_freeDStream(stream); }
};

class PerfDataReader {
public:
    PerfDataReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kPerfData.name, ProfileBuilder::Delivery::Previewed),
          m_isSwapped(hasSwappedMagic()), m_samples(m_builder, options.binaryFolders, m_isSwapped)
    {}

    Result<Batch> read();

private:
    bool hasSwappedMagic();
    bool goesOn()
    {
        return m_builder.goesOn(m_input.position() + 1,
                                [this] { return "byte " + std::to_string(m_input.position()); });
    }
    bool skipTo(std::uint64_t position);
    Bytes ahead(std::size_t size)
    {
        return {m_input.window().first(std::min(size, m_input.window().size())), m_isSwapped};
    }

    void readFile();
    void readEvents(Section attrs, std::uint64_t attrSize);
    void readFeatures(std::span<const std::uint64_t> bits);

    void readRecords(std::uint64_t end);
    void take(std::span<const std::uint8_t> record, std::uint64_t &dataBehind);
    void queue(std::span<const std::uint8_t> record);
    void unpack(std::span<const std::uint8_t> packed);
    void takeUnpacked();

    void takeAttr(Bytes body);
    void takeUpdate(Bytes body);
    void takeFeature(Feature feature, Bytes body);
    void takeBuildIds(Bytes body);
    void takeBuildId(Bytes body, std::uint16_t misc);
    void takeEventDescriptions(Bytes body);

    InputStream &m_input;
    ProfileBuilder m_builder;
    bool m_isSwapped;
    perf::Samples m_samples;
    perf::Queue m_queue;
    std::unique_ptr<ZSTD_DStream, ZstdStreamDeleter> m_zstd;
    std::vector<std::uint8_t> m_unpacked; ///< records that are not whole yet
    bool m_isDamaged = false;
};

bool PerfDataReader::hasSwappedMagic()
{
    m_input.ensure(kPipeHead);
    constexpr std::string_view kSwapped = "2ELIFREP";
    return m_input.window().size() >= kSwapped.size() &&
           std::ranges::equal(m_input.window().first(kSwapped.size()), kSwapped, {},
                              [](std::uint8_t byte) { return static_cast<char>(byte); });
}

Result<Batch> PerfDataReader::read()
{
    Bytes head = ahead(kPipeHead);
    head.skip(8);
    if (head.u64() == kPipeHead) {
        m_input.consume(std::min<std::size_t>(kPipeHead, m_input.window().size()));
        readRecords(~std::uint64_t(0));
    } else {
        readFile();
    }
    m_samples.finish();
    return m_builder.finish(m_input);
}

/// Goes forward only, as the parts of a file lie. @return false if the input ends before
bool PerfDataReader::skipTo(std::uint64_t position)
{
    while (m_input.position() < position) {
        const auto step = std::min<std::uint64_t>(position - m_input.position(), m_input.window().size());
        m_input.consume(static_cast<std::size_t>(step));
        if (m_input.position() < position && (!goesOn() || !m_input.extend()))
            return false;
    }
    return true;
}

void PerfDataReader::readFile()
{
    constexpr std::size_t kHead = 104;
    m_input.ensure(kHead);
    Bytes head = ahead(kHead);
    head.skip(16);
    const std::uint64_t attrSize = head.u64();
    const Section attrs = readSection(head);
    const Section data = readSection(head);
    readSection(head);
    std::array<std::uint64_t, 4> features{};
    for (std::uint64_t &bits : features)
        bits = head.u64();
    if (!head.isOk() || data.offset > kLargestSection) {
        m_builder.losses().add(Loss::DamagedInput, "the head of the file cannot be read");
        return;
    }
    m_input.ensure(data.offset);
    readEvents(attrs, attrSize);
    if (!skipTo(data.offset))
        return;
    // perf writes the size last; where it was killed, there is none.
    const bool isFinished = data.size > 0 && data.size < ~data.offset;
    readRecords(isFinished ? data.offset + data.size : ~std::uint64_t(0));
    if (isFinished && !m_isDamaged && skipTo(data.offset + data.size))
        readFeatures(features);
}

/// Attrs and ids lie before the records, which begin at the end of the window.
void PerfDataReader::readEvents(Section attrs, std::uint64_t attrSize)
{
    const auto window = m_input.window();
    const auto part = [&](Section section) {
        const std::uint64_t begin = std::min<std::uint64_t>(section.offset, window.size());
        return Bytes(window.subspan(begin, std::min<std::uint64_t>(section.size, window.size() - begin)),
                     m_isSwapped);
    };
    constexpr std::uint64_t kSection = 16;
    constexpr std::uint64_t kSmallestAttr = 64;
    if (attrSize < kSmallestAttr + kSection || attrSize > 4096)
        return;
    Bytes bytes = part(attrs);
    while (bytes.left() >= attrSize) {
        const std::size_t event = m_samples.addEvent(perf::readEvent(bytes, attrSize - kSection));
        Bytes ids = part(readSection(bytes));
        while (ids.left() >= 8)
            m_samples.addId(ids.u64(), event);
    }
}

void PerfDataReader::readRecords(std::uint64_t end)
{
    while (goesOn() && !m_isDamaged && m_input.position() < end) {
        if (!m_input.ensure(RecordHead::kSize)) {
            if (!m_input.window().empty() || end != ~std::uint64_t(0))
                m_builder.losses().add(Loss::TruncatedInput, "the recording ends early, at byte " +
                                                                 std::to_string(m_input.position()));
            break;
        }
        Bytes bytes = ahead(RecordHead::kSize);
        const RecordHead head = perf::readHead(bytes);
        if (head.size < RecordHead::kSize) {
            m_builder.losses().add(Loss::DamagedInput,
                                   "no record at byte " + std::to_string(m_input.position()));
            m_isDamaged = true;
            break;
        }
        if (!m_input.ensure(head.size)) {
            m_builder.losses().add(Loss::TruncatedInput, "the last record is cut off, at byte " +
                                                             std::to_string(m_input.position()));
            break;
        }
        std::uint64_t dataBehind = 0;
        take(m_input.window().first(head.size), dataBehind);
        m_input.consume(head.size);
        if (dataBehind > 0 && !skipTo(m_input.position() + std::min(dataBehind, ~m_input.position())))
            break;
    }
    m_queue.finish([this](std::span<const std::uint8_t> record) { m_samples.take(record); });
}

/// @param dataBehind how much follows the record without being one
void PerfDataReader::take(std::span<const std::uint8_t> record, std::uint64_t &dataBehind)
{
    Bytes bytes(record, m_isSwapped);
    const RecordHead head = perf::readHead(bytes);
    switch (static_cast<RecordType>(head.type)) {
    case RecordType::FinishedRound:
        return m_queue.finishRound([this](std::span<const std::uint8_t> one) { m_samples.take(one); });
    case RecordType::Attr:
        return takeAttr(bytes);
    case RecordType::EventUpdate:
        return takeUpdate(bytes);
    case RecordType::Feature:
        return takeFeature(static_cast<Feature>(bytes.u64()), bytes);
    case RecordType::BuildId:
        return takeBuildId(bytes, head.misc);
    case RecordType::TracingData:
        dataBehind = (std::uint64_t(bytes.u32()) + 7) / 8 * 8;
        return;
    case RecordType::Auxtrace:
        dataBehind = bytes.u64();
        m_builder.losses().add(Loss::UnknownFields, "a hardware trace, which Hearth does not decode");
        return;
    case RecordType::Compressed:
        return unpack(record.subspan(RecordHead::kSize));
    case RecordType::Compressed2: {
        const std::uint64_t size = bytes.u64();
        return unpack(bytes.bytes(std::min<std::uint64_t>(size, bytes.left())));
    }
    default:
        return queue(record);
    }
}

void PerfDataReader::queue(std::span<const std::uint8_t> record)
{
    const auto deliver = [this](std::span<const std::uint8_t> one) { m_samples.take(one); };
    Bytes bytes(record, m_isSwapped);
    const RecordHead head = perf::readHead(bytes);
    if (head.type >= 64)
        return; // of perf itself, and of nothing that Hearth shows
    m_queue.add(m_samples.timeOf(record), record);
    if (m_queue.isLong())
        m_queue.finishRound(deliver);
    if (m_queue.isLong())
        m_queue.finish(deliver);
}

/// What is unpacked is one stream of records, cut anywhere.
void PerfDataReader::unpack(std::span<const std::uint8_t> packed)
{
    constexpr std::size_t kStep = std::size_t(256) << 10;
    if (!m_zstd)
        m_zstd.reset(ZSTD_createDStream());
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    for (bool isFull = false; (in.pos < in.size || isFull) && !m_isDamaged && goesOn();) {
        const std::size_t before = m_unpacked.size();
        m_unpacked.resize(before + kStep);
        ZSTD_outBuffer out{m_unpacked.data() + before, kStep, 0};
        const std::size_t code = ZSTD_decompressStream(m_zstd.get(), &out, &in);
        m_unpacked.resize(before + out.pos);
        isFull = out.pos == kStep;
        if (ZSTD_isError(code) != 0U) {
            m_builder.losses().add(Loss::DamagedInput, "compressed records cannot be unpacked at byte " +
                                                           std::to_string(m_input.position()));
            m_isDamaged = true;
        }
        takeUnpacked();
    }
}

void PerfDataReader::takeUnpacked()
{
    std::span<const std::uint8_t> rest(m_unpacked);
    while (rest.size() >= RecordHead::kSize && !m_isDamaged) {
        Bytes bytes(rest, m_isSwapped);
        const RecordHead head = perf::readHead(bytes);
        if (head.size < RecordHead::kSize) {
            m_builder.losses().add(Loss::DamagedInput, "no record among the compressed ones at byte " +
                                                           std::to_string(m_input.position()));
            m_isDamaged = true;
        } else if (head.size > rest.size()) {
            break;
        } else {
            queue(rest.first(head.size));
            rest = rest.subspan(head.size);
        }
    }
    m_unpacked.erase(m_unpacked.begin(), m_unpacked.end() - static_cast<std::ptrdiff_t>(rest.size()));
}

void PerfDataReader::takeAttr(Bytes body)
{
    const std::size_t event = m_samples.addEvent(perf::readEvent(body, 0));
    while (body.left() >= 8)
        m_samples.addId(body.u64(), event);
}

void PerfDataReader::takeUpdate(Bytes body)
{
    constexpr std::uint64_t kName = 2;
    const std::uint64_t what = body.u64();
    const std::uint64_t id = body.u64();
    if (what == kName)
        m_samples.rename(id, body.textToEnd());
}

/// The places of sections lie behind the records, the sections behind them.
void PerfDataReader::readFeatures(std::span<const std::uint64_t> bits)
{
    std::vector<std::pair<Section, Feature>> sections;
    std::size_t count = 0;
    for (const std::uint64_t word : bits)
        count += static_cast<std::size_t>(std::popcount(word));
    m_input.ensure(count * 16);
    Bytes places = ahead(count * 16);
    for (std::uint32_t bit = 0; bit < 64 * bits.size(); ++bit)
        if ((bits[bit / 64] >> (bit % 64) & 1) != 0)
            sections.emplace_back(readSection(places), static_cast<Feature>(bit));
    std::ranges::sort(sections, {}, [](const auto &section) { return section.first.offset; });
    for (const auto &[section, feature] : sections) {
        if (section.size == 0 || section.size > kLargestSection || section.offset < m_input.position())
            continue;
        if (!skipTo(section.offset))
            return;
        m_input.ensure(section.size);
        takeFeature(feature, ahead(section.size));
    }
}

void PerfDataReader::takeFeature(Feature feature, Bytes body)
{
    std::vector<std::string> &comments = m_builder.batch().origin.comments;
    switch (feature) {
    case Feature::BuildId:
        return takeBuildIds(body);
    case Feature::EventDescription:
        return takeEventDescriptions(body);
    case Feature::Hostname:
        comments.push_back("host " + std::string(readText(body)));
        return;
    case Feature::CommandLine: {
        std::string line;
        for (std::uint32_t words = body.u32(); words > 0 && body.isOk(); --words)
            line.append(line.empty() ? "" : " ").append(readText(body));
        comments.push_back(std::move(line));
        return;
    }
    }
}

void PerfDataReader::takeBuildIds(Bytes body)
{
    while (body.left() >= RecordHead::kSize) {
        const RecordHead head = perf::readHead(body);
        if (head.size < RecordHead::kSize)
            return;
        takeBuildId(Bytes(body.bytes(head.size - RecordHead::kSize), m_isSwapped), head.misc);
    }
}

void PerfDataReader::takeBuildId(Bytes body, std::uint16_t misc)
{
    constexpr std::uint16_t kHasSize = 1 << 15;
    constexpr std::size_t kLongest = 20;
    body.skip(4); // the process, which is that of the kernel or of a guest
    const auto id = body.bytes(24);
    if (id.size() < 24)
        return;
    const std::size_t size =
        (misc & kHasSize) != 0 ? std::min<std::size_t>(id[kLongest], kLongest) : kLongest;
    m_samples.addBuildId(body.textToEnd(), id.first(size));
}

void PerfDataReader::takeEventDescriptions(Bytes body)
{
    const std::uint32_t count = body.u32();
    const std::uint32_t attrSize = body.u32();
    for (std::uint32_t event = 0; event < count && body.isOk(); ++event) {
        body.skip(attrSize);
        const std::uint32_t ids = body.u32();
        const std::string_view name = readText(body);
        for (std::uint32_t id = 0; id < ids && body.isOk(); ++id)
            m_samples.rename(body.u64(), name);
    }
}

Result<Batch> readPerfData(InputStream &input, const ReadOptions &options)
{
    return PerfDataReader(input, options).read();
}

} // namespace

const Format kPerfData{.name = "perf.data", .read = readPerfData};

} // namespace hearth
