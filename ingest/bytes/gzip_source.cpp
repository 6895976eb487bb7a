#include "ingest/bytes/layers.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>

namespace hearth {

namespace {

constexpr std::size_t kPackedBlock = std::size_t(256) << 10;

/// gzip by ISA-L: any number of members, checksums verified, at two to three times the speed of zlib.
class GzipSource : public ByteSource {
public:
    explicit GzipSource(std::unique_ptr<ByteSource> packed)
        : m_packed(std::move(packed)), m_block(kPackedBlock)
    {
        beginMember();
    }

    std::size_t read(std::span<std::uint8_t> into) override
    {
        std::size_t filled = 0;
        while (filled < into.size() && !m_isAtEnd)
            filled += inflate(into.subspan(filled));
        return filled;
    }
    std::optional<InputFault> fault() const override { return m_fault; }

private:
    void beginMember()
    {
        const std::uint32_t left = m_state.avail_in;
        std::uint8_t *const next = m_state.next_in;
        isal_inflate_init(&m_state);
        m_state.crc_flag = ISAL_GZIP;
        m_state.next_in = next;
        m_state.avail_in = left;
    }

    /// Reads on in the packed source. @return false if there is nothing more
    bool refill()
    {
        if (m_state.avail_in > 0)
            return true;
        m_state.next_in = m_block.data();
        m_state.avail_in = static_cast<std::uint32_t>(m_packed->read(m_block));
        return m_state.avail_in > 0;
    }

    std::size_t inflate(std::span<std::uint8_t> into)
    {
        const bool hasInput = refill();
        const std::size_t room = std::min<std::size_t>(into.size(), 1U << 30);
        m_state.next_out = into.data();
        m_state.avail_out = static_cast<std::uint32_t>(room);
        const int code = isal_inflate(&m_state);
        const std::size_t made = room - m_state.avail_out;
        m_position += made;
        if (code != ISAL_DECOMP_OK)
            end(Loss::DamagedInput,
                code == ISAL_INCORRECT_CHECKSUM ? "its checksum is wrong" : "it is damaged");
        else if (m_state.block_state == ISAL_BLOCK_FINISH)
            endMember();
        else if (!hasInput && made == 0)
            end(Loss::TruncatedInput, "it ends early");
        return made;
    }

    /// Goes on with the next member, if there is one. Zeros that pad the file to a block's length are none.
    void endMember()
    {
        while (refill()) {
            std::uint8_t *const end = m_state.next_in + m_state.avail_in;
            std::uint8_t *const next =
                std::find_if(m_state.next_in, end, [](std::uint8_t byte) { return byte != 0; });
            m_state.avail_in = static_cast<std::uint32_t>(end - next);
            m_state.next_in = next;
            if (next == end)
                continue;
            if (*next == 0x1f)
                beginMember();
            else
                this->end(Loss::DamagedInput, "bytes that are no gzip follow");
            return;
        }
        m_isAtEnd = true;
        m_fault = m_packed->fault();
    }

    void end(Loss loss, const std::string &what)
    {
        m_isAtEnd = true;
        m_fault = m_packed->fault();
        if (!m_fault)
            m_fault = {loss, "gzip stream: " + what + " after " + std::to_string(m_position) +
                                 " bytes were unpacked"};
    }

    std::unique_ptr<ByteSource> m_packed;
    std::vector<std::uint8_t> m_block;
    inflate_state m_state{};
    std::uint64_t m_position = 0;
    bool m_isAtEnd = false;
    std::optional<InputFault> m_fault;
};

} // namespace

std::unique_ptr<ByteSource> gunzipped(std::unique_ptr<ByteSource> packed)
{
    return std::make_unique<GzipSource>(std::move(packed));
}

} // namespace hearth
