#include "ingest/formats/format.h"
#include "ingest/formats/line_reader.h"
#include "ingest/formats/memory_maps.h"

#include <algorithm>
#include <array>
#include <limits>

// gperftools' CPU profile (https://gperftools.github.io/gperftools/cpuprofile-fileformat.html), in words of
// the size and the byte order of the machine:
//
//   0 3 0 PERIOD 0     the period in microseconds
//   COUNT DEPTH PC…    so many times, the leaf first
//   0 1 0              the end
//
// then /proc/self/maps as text.

namespace hearth {

namespace {

constexpr std::uint64_t kDeepest = 1 << 20;

class GperftoolsCpuReader {
public:
    GperftoolsCpuReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kGperftoolsCpu.name, ProfileBuilder::Delivery::Whole),
          m_maps(m_builder)
    {}

    Result<Batch> read();

private:
    struct Record {
        StackId stack;
        std::int64_t count = 0;
    };

    bool findWords();
    bool ensureWords(std::uint64_t count);
    std::uint64_t word(std::size_t index) const;
    bool readRecords();
    void readMaps();
    void addSamples();
    std::string place() const { return "byte " + std::to_string(m_input.position()); }

    InputStream &m_input;
    ProfileBuilder m_builder;
    MemoryMaps m_maps;
    std::size_t m_size = 8; ///< of a word
    bool m_isBig = false;
    std::int64_t m_periodNs = 0;
    LateStacks m_stacks;
    std::vector<std::uint64_t> m_addresses; ///< by frame
    std::vector<FrameId> m_path;
    std::vector<Record> m_records;
};

Result<Batch> GperftoolsCpuReader::read()
{
    if (!findWords())
        m_builder.losses().add(Loss::DamagedInput, "its head cannot be read");
    else if (readRecords())
        readMaps();
    addSamples();
    return m_builder.finish(m_input);
}

std::uint64_t GperftoolsCpuReader::word(std::size_t index) const
{
    std::uint64_t value = 0;
    for (std::size_t byte = 0; byte < m_size; ++byte)
        value |= static_cast<std::uint64_t>(m_input.window()[index * m_size + byte])
                 << (8 * (m_isBig ? m_size - 1 - byte : byte));
    return value;
}

bool GperftoolsCpuReader::ensureWords(std::uint64_t count)
{
    return m_input.ensure(count * m_size);
}

/// Which words there are, the head tells: its first is 0, its second 3.
bool GperftoolsCpuReader::findWords()
{
    for (m_size = 4; m_size <= 8; m_size += 4)
        for (const bool isBig : {false, true}) {
            m_isBig = isBig;
            if (!ensureWords(5) || word(0) != 0 || word(1) != 3 || word(2) != 0 || word(4) != 0)
                continue;
            m_periodNs = static_cast<std::int64_t>(std::min<std::uint64_t>(word(3), 1'000'000'000)) * 1000;
            m_input.consume(5 * m_size);
            return true;
        }
    return false;
}

/// @return false if they have no end
bool GperftoolsCpuReader::readRecords()
{
    while (m_builder.goesOn(m_input.position(), [this] { return place(); })) {
        if (!ensureWords(3)) {
            m_builder.losses().add(Loss::TruncatedInput, "the profile ends early, at " + place());
            return false;
        }
        const std::uint64_t count = word(0);
        const std::uint64_t depth = word(1);
        if (count == 0 && depth == 1 && word(2) == 0) {
            m_input.consume(3 * m_size);
            return true;
        }
        if (depth == 0 || depth > kDeepest || !ensureWords(2 + depth)) {
            m_builder.losses().add(depth == 0 || depth > kDeepest ? Loss::DamagedInput : Loss::TruncatedInput,
                                   "no sample at " + place());
            return false;
        }
        m_path.clear();
        for (std::size_t frame = 0; frame < depth; ++frame) {
            // The leaf is where the signal came; where the stack was walked, it may be there a second time.
            const std::uint64_t pc = word(2 + frame);
            if (frame == 1 && pc == word(2))
                continue;
            const FrameId id = m_stacks.frame(frame > 0 && pc > 0 ? pc - 1 : pc);
            if (id.value == m_addresses.size())
                m_addresses.push_back(frame > 0 && pc > 0 ? pc - 1 : pc);
            m_path.push_back(id);
        }
        m_records.push_back({m_stacks.path(m_path), static_cast<std::int64_t>(std::min<std::uint64_t>(
                                                        count, std::numeric_limits<std::int64_t>::max()))});
        m_input.consume((2 + depth) * m_size);
    }
    return false;
}

void GperftoolsCpuReader::readMaps()
{
    LineReader lines(m_input, m_builder.watch(), m_builder.losses());
    for (std::string_view line; lines.next(line);)
        m_maps.addLine(line);
}

void GperftoolsCpuReader::addSamples()
{
    std::vector<FrameId> frames;
    for (const std::uint64_t address : m_addresses)
        frames.push_back(m_maps.frame(address));
    const std::vector<StackId> stacks = m_stacks.resolve(m_builder, frames);
    const std::size_t block = m_builder.block({.series = {{"samples", "count"}, {"cpu", "nanoseconds"}},
                                               .periodType = "cpu",
                                               .periodUnit = "nanoseconds",
                                               .period = m_periodNs});
    for (const Record &record : m_records) {
        std::int64_t time = 0;
        if (__builtin_mul_overflow(record.count, m_periodNs, &time))
            time = std::numeric_limits<std::int64_t>::max();
        const std::array<std::int64_t, 2> values{record.count, time};
        m_builder.add(block, stacks[record.stack.value], ContextId(), 0, values);
    }
}

Result<Batch> readGperftoolsCpu(InputStream &input, const ReadOptions &options)
{
    return GperftoolsCpuReader(input, options).read();
}

} // namespace

const Format kGperftoolsCpu{.name = "gperftools cpu", .read = readGperftoolsCpu};

} // namespace hearth
