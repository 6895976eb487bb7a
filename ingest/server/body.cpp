#include "ingest/server/body.h"

#include "ingest/bytes/layers.h"

#include <algorithm>

namespace hearth {

namespace {

constexpr std::size_t kFirstRoom = 64 * 1024;

} // namespace

Body::Growth Body::makeRoom()
{
    if (m_size < m_bytes.size())
        return Growth::Ok;
    // One byte beyond the limit tells what is too large from what just fits.
    if (m_size > m_limit)
        return Growth::OverLimit;
    const std::size_t grown = std::min(std::max(kFirstRoom, m_bytes.size() * 2), m_limit + 1);
    if (!m_share.grow(grown - m_bytes.size()))
        return Growth::OverBudget;
    m_bytes.resize(grown);
    return Growth::Ok;
}

UnpackVerdict unpackBody(std::span<const std::uint8_t> packed, Packing packing, Body &into,
                         std::string &problem)
{
    auto source = packing == Packing::Gzip ? gunzipped(memorySource(packed)) : unzstded(memorySource(packed));
    while (true) {
        const Body::Growth growth = into.makeRoom();
        if (growth != Body::Growth::Ok)
            return growth == Body::Growth::OverLimit ? UnpackVerdict::OverLimit : UnpackVerdict::OverBudget;
        const std::size_t asked = into.room().size();
        const std::size_t count = source->read(into.room());
        into.add(count);
        if (count < asked)
            break;
    }
    if (const auto fault = source->fault()) {
        problem = fault->message;
        return UnpackVerdict::Damaged;
    }
    return UnpackVerdict::Ok;
}

} // namespace hearth
