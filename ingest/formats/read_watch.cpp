#include "ingest/formats/read_watch.h"

#include <algorithm>

namespace hearth {

namespace {

constexpr std::uint64_t kBytesBetweenChecks = std::uint64_t(256) << 10;

} // namespace

bool ReadWatch::goesOn(std::uint64_t position, std::size_t bytesUsed, const std::string &place)
{
    m_nextCheck = position + std::min<std::uint64_t>(kBytesBetweenChecks, m_options.partBytes);
    if (m_options.stop.stop_requested()) {
        m_isCancelled = !m_options.keepsCancelled;
        if (m_options.keepsCancelled && !m_isOver)
            m_losses.add(Loss::CancelledReading, "reading was cancelled at " + place);
        m_isOver = true;
        return false;
    }
    if (m_options.progress)
        m_options.progress(position);
    if (bytesUsed > m_options.memoryBudget && !m_isOver) {
        m_losses.add(Loss::SamplesOverBudget, "memory budget of " +
                                                  std::to_string(m_options.memoryBudget >> 20) +
                                                  " MiB reached at " + place + "; the rest was not read");
        m_isOver = true;
    }
    return !m_isOver;
}

} // namespace hearth
