#include "ingest/elf/decompress.h"

#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <lzma.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

namespace hearth {

namespace {

constexpr std::size_t kBlock = std::size_t(1) << 20;
constexpr std::size_t kMostInMemory = std::size_t(64) << 20;
constexpr std::uint64_t kXzMemory = std::uint64_t(256) << 20;

/// What comes out, in memory while it is little, else in a file that is gone when nobody reads it any more.
class Unpacked {
public:
    explicit Unpacked(std::uint64_t mostBytes) : m_mostBytes(mostBytes) {}

    Result<void> take(std::span<const std::uint8_t> bytes)
    {
        m_size += bytes.size();
        if (m_size > m_mostBytes)
            return failure("holds more than " + std::to_string(m_mostBytes) + " bytes");
        if (!m_file && m_size > kMostInMemory)
            if (const auto spilled = spill(); !spilled)
                return spilled;
        if (!m_file)
            m_memory.insert(m_memory.end(), bytes.begin(), bytes.end());
        else if (std::fwrite(bytes.data(), 1, bytes.size(), m_file.get()) < bytes.size())
            return failure("does not fit the disk for temporary files");
        return {};
    }

    std::uint64_t size() const { return m_size; }

    Result<ByteRange> finished() &&
    {
        if (!m_file)
            return ByteRange::ofMemory(std::move(m_memory));
        if (std::fflush(m_file.get()) != 0)
            return failure("does not fit the disk for temporary files");
        return ByteRange::ofFile("/proc/self/fd/" + std::to_string(::fileno(m_file.get())));
    }

private:
    Result<void> spill()
    {
        // What is temporary often is kept in memory, /var/tmp never.
        const int descriptor = ::open("/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        m_file.reset(descriptor >= 0 ? ::fdopen(descriptor, "w+b") : std::tmpfile());
        if (!m_file || std::fwrite(m_memory.data(), 1, m_memory.size(), m_file.get()) < m_memory.size())
            return failure("does not fit the disk for temporary files");
        m_memory = {};
        return {};
    }

    struct Closing {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };

    const std::uint64_t m_mostBytes;
    std::uint64_t m_size = 0;
    std::vector<std::uint8_t> m_memory;
    std::unique_ptr<std::FILE, Closing> m_file;
};

/// One step of a decompressor: uses up input, makes output.
struct Step {
    std::size_t used = 0;
    std::size_t made = 0;
    bool isAtEnd = false;
    bool isDamaged = false;
};

class Inflater {
public:
    Inflater() = default;
    Inflater(const Inflater &) = delete;
    Inflater &operator=(const Inflater &) = delete;
    virtual ~Inflater() = default;
    virtual Step step(std::span<std::uint8_t> in, std::span<std::uint8_t> out, bool isLast) = 0;
};

class ZlibInflater : public Inflater {
public:
    ZlibInflater()
    {
        isal_inflate_init(&m_state);
        m_state.crc_flag = ISAL_ZLIB;
    }
    Step step(std::span<std::uint8_t> in, std::span<std::uint8_t> out, bool) override
    {
        m_state.next_in = in.data();
        m_state.avail_in = static_cast<std::uint32_t>(in.size());
        m_state.next_out = out.data();
        m_state.avail_out = static_cast<std::uint32_t>(out.size());
        const int code = isal_inflate(&m_state);
        return {in.size() - m_state.avail_in, out.size() - m_state.avail_out,
                m_state.block_state == ISAL_BLOCK_FINISH, code != ISAL_DECOMP_OK};
    }

private:
    inflate_state m_state{};
};

class ZstdInflater : public Inflater {
public:
    Step step(std::span<std::uint8_t> in, std::span<std::uint8_t> out, bool) override
    {
        ZSTD_inBuffer input{in.data(), in.size(), 0};
        ZSTD_outBuffer output{out.data(), out.size(), 0};
        const std::size_t code = ZSTD_decompressStream(m_stream.get(), &output, &input);
        return {input.pos, output.pos, code == 0, ZSTD_isError(code) != 0};
    }

private:
    struct Closing {
        void operator()(ZSTD_DStream *stream) const { ZSTD_freeDStream(stream); }
    };
    std::unique_ptr<ZSTD_DStream, Closing> m_stream{ZSTD_createDStream()};
};

class XzInflater : public Inflater {
public:
    XzInflater() : m_isReady(lzma_stream_decoder(&m_stream, kXzMemory, 0) == LZMA_OK) {}
    ~XzInflater() override { lzma_end(&m_stream); }
    XzInflater(const XzInflater &) = delete;
    XzInflater &operator=(const XzInflater &) = delete;

    Step step(std::span<std::uint8_t> in, std::span<std::uint8_t> out, bool isLast) override
    {
        if (!m_isReady)
            return {.isDamaged = true};
        m_stream.next_in = in.data();
        m_stream.avail_in = in.size();
        m_stream.next_out = out.data();
        m_stream.avail_out = out.size();
        const lzma_ret code = lzma_code(&m_stream, isLast ? LZMA_FINISH : LZMA_RUN);
        return {in.size() - m_stream.avail_in, out.size() - m_stream.avail_out, code == LZMA_STREAM_END,
                code != LZMA_OK && code != LZMA_STREAM_END};
    }

private:
    lzma_stream m_stream = LZMA_STREAM_INIT;
    const bool m_isReady;
};

std::unique_ptr<Inflater> inflaterOf(SectionPacking packing)
{
    switch (packing) {
    case SectionPacking::Zlib:
        return std::make_unique<ZlibInflater>();
    case SectionPacking::Zstd:
        return std::make_unique<ZstdInflater>();
    case SectionPacking::Xz:
        break;
    }
    return std::make_unique<XzInflater>();
}

} // namespace

Result<ByteRange> unpackSection(const ByteRange &packed, SectionPacking packing, std::uint64_t mostBytes)
{
    const auto inflater = inflaterOf(packing);
    Unpacked unpacked(mostBytes);
    std::vector<std::uint8_t> input(kBlock);
    std::vector<std::uint8_t> output(kBlock);
    std::uint64_t position = 0;
    std::span<std::uint8_t> in;
    for (bool isAtEnd = false; !isAtEnd;) {
        if (in.empty()) {
            in = std::span(input).first(packed.read(position, std::span(input)));
            position += in.size();
        }
        const Step step = inflater->step(in, output, position >= packed.size());
        if (step.isDamaged || (step.used == 0 && step.made == 0 && !step.isAtEnd))
            return failure("is damaged after " + std::to_string(unpacked.size()) + " bytes");
        in = in.subspan(step.used);
        isAtEnd = step.isAtEnd;
        if (const auto taken = unpacked.take(std::span(output).first(step.made)); !taken)
            return tl::unexpected(taken.error());
    }
    return std::move(unpacked).finished();
}

} // namespace hearth
