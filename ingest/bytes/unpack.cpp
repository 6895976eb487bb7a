#include "ingest/bytes/layers.h"

#include <algorithm>

namespace hearth {

namespace {

constexpr int kMostLayers = 3;

bool isGzip(std::span<const std::uint8_t> head)
{
    return head.size() >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

bool isZstd(std::span<const std::uint8_t> head)
{
    if (head.size() < 4)
        return false;
    const bool isFrame = head[0] == 0x28 && head[1] == 0xb5 && head[2] == 0x2f && head[3] == 0xfd;
    const bool isSkippable =
        (head[0] & 0xf0) == 0x50 && head[1] == 0x2a && head[2] == 0x4d && head[3] == 0x18;
    return isFrame || isSkippable;
}

} // namespace

std::span<const std::uint8_t> PeekSource::peek(std::size_t size)
{
    if (m_peeked.size() < size) {
        const std::size_t had = m_peeked.size();
        m_peeked.resize(size);
        m_peeked.resize(had + m_source->read(std::span(m_peeked).subspan(had)));
    }
    return std::span(m_peeked).first(std::min(size, m_peeked.size()));
}

std::size_t PeekSource::read(std::span<std::uint8_t> into)
{
    const std::size_t peeked = std::min(into.size(), m_peeked.size());
    std::copy_n(m_peeked.begin(), peeked, into.begin());
    m_peeked.erase(m_peeked.begin(), m_peeked.begin() + static_cast<std::ptrdiff_t>(peeked));
    return peeked + (peeked < into.size() ? m_source->read(into.subspan(peeked)) : 0);
}

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source)
{
    for (int layer = 0; layer < kMostLayers; ++layer) {
        auto peekable = std::make_unique<PeekSource>(std::move(source));
        const std::span<const std::uint8_t> head = peekable->peek(4);
        if (isGzip(head))
            source = gunzipped(std::move(peekable));
        else if (isZstd(head))
            source = unzstded(std::move(peekable));
        else
            return peekable;
    }
    return source;
}

} // namespace hearth
