#pragma once

#include "ingest/server/request.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hearth {

/// A request as it came, for whoever wants to see what a sender really sends.
struct RecentRequest {
    std::chrono::system_clock::time_point time;
    Signal signal = Signal::Profiles;
    Encoding encoding = Encoding::Protobuf;
    Transport transport = Transport::Grpc;
    std::string peer;
    std::string userAgent;
    std::string outcome; ///< empty if all of it was accepted
    std::size_t bytes = 0;
    std::vector<std::uint8_t> body; ///< empty if they were too many to keep
};

/// The last few requests, within bounds of number and bytes. Any thread.
class RecentRequests {
public:
    explicit RecentRequests(std::size_t mostBytes = std::size_t(16) << 20, std::size_t mostRequests = 200)
        : m_mostBytes(mostBytes), m_mostRequests(mostRequests)
    {}

    /// A body larger than all that may be kept is left out.
    void add(const Request &request, std::string outcome);

    /// The oldest comes first.
    std::vector<std::shared_ptr<const RecentRequest>> all() const;

private:
    const std::size_t m_mostBytes;
    const std::size_t m_mostRequests;

    mutable std::mutex m_mutex;
    std::deque<std::shared_ptr<const RecentRequest>> m_requests; ///< guarded by m_mutex
    std::size_t m_bytes = 0;                                     ///< guarded by m_mutex
};

} // namespace hearth
