#include "ingest/live/recent_requests.h"

#include <utility>

namespace hearth {

void RecentRequests::add(const Request &request, std::string outcome)
{
    auto recent = std::make_shared<RecentRequest>();
    recent->time = std::chrono::system_clock::now();
    recent->signal = request.signal;
    recent->encoding = request.encoding;
    recent->transport = request.transport;
    recent->peer = request.peer;
    recent->userAgent = request.userAgent;
    recent->outcome = std::move(outcome);
    recent->bytes = request.body.size();
    if (recent->bytes <= m_mostBytes)
        recent->body.assign(request.body.begin(), request.body.end());

    std::vector<std::shared_ptr<const RecentRequest>> gone; // destroyed behind the lock
    const std::lock_guard lock(m_mutex);
    m_bytes += recent->body.size();
    m_requests.push_back(std::move(recent));
    while (m_bytes > m_mostBytes || m_requests.size() > m_mostRequests) {
        m_bytes -= m_requests.front()->body.size();
        gone.push_back(std::move(m_requests.front()));
        m_requests.pop_front();
    }
}

std::vector<std::shared_ptr<const RecentRequest>> RecentRequests::all() const
{
    const std::lock_guard lock(m_mutex);
    return {m_requests.begin(), m_requests.end()};
}

} // namespace hearth
