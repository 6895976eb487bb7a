#include "ingest/bytes/layers.h"

#include <zstd.h>

namespace hearth {

namespace {

/// zstd, any number of frames.
class ZstdSource : public ByteSource {
public:
    explicit ZstdSource(std::unique_ptr<ByteSource> packed)
        : m_packed(std::move(packed)), m_stream(ZSTD_createDStream()), m_block(ZSTD_DStreamInSize())
    {}

    std::size_t read(std::span<std::uint8_t> into) override
    {
        ZSTD_outBuffer out{into.data(), into.size(), 0};
        while (out.pos < out.size && !m_isAtEnd) {
            if (m_in.pos == m_in.size)
                m_in = {m_block.data(), m_packed->read(m_block), 0};
            const bool hasInput = m_in.size > 0;
            const std::size_t before = out.pos;
            const std::size_t rest = ZSTD_decompressStream(m_stream.get(), &out, &m_in);
            if (ZSTD_isError(rest))
                end(Loss::DamagedInput, ZSTD_getErrorName(rest), out.pos);
            else if (!hasInput && out.pos == before)
                end(Loss::TruncatedInput, m_isWithinFrame ? "it ends early" : "", out.pos);
            else
                m_isWithinFrame = rest != 0;
        }
        m_position += out.pos;
        return out.pos;
    }
    std::optional<InputFault> fault() const override { return m_fault; }

private:
    /// @param what is wrong; empty if nothing is
    void end(Loss loss, const std::string &what, std::size_t made)
    {
        m_isAtEnd = true;
        m_fault = m_packed->fault();
        if (!m_fault && !what.empty())
            m_fault = {loss, "zstd stream: " + what + " after " + std::to_string(m_position + made) +
                                 " bytes were unpacked"};
    }

    struct FreeStream {
        void operator()(ZSTD_DStream *stream) const { ZSTD_freeDStream(stream); }
    };

    std::unique_ptr<ByteSource> m_packed;
    std::unique_ptr<ZSTD_DStream, FreeStream> m_stream;
    std::vector<std::uint8_t> m_block;
    ZSTD_inBuffer m_in{nullptr, 0, 0};
    std::uint64_t m_position = 0;
    bool m_isWithinFrame = true;
    bool m_isAtEnd = false;
    std::optional<InputFault> m_fault;
};

} // namespace

std::unique_ptr<ByteSource> unzstded(std::unique_ptr<ByteSource> packed)
{
    return std::make_unique<ZstdSource>(std::move(packed));
}

} // namespace hearth
