#pragma once

#include "ingest/server/reception.h"
#include "ingest/server/request.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace hearth {

/// What is known of one sender: a program on a host.
struct Sender {
    std::string peer; ///< with the port of its last connection
    std::string userAgent;
    std::string generation; ///< of what it sent last
    std::uint64_t requests = 0;
    std::uint64_t samples = 0;                    ///< or spans, log records, points
    std::uint64_t bytes = 0;                      ///< without compression
    std::uint64_t rejected = 0;                   ///< records that were left out
    std::uint64_t refused = 0;                    ///< whole requests
    std::map<std::string, std::uint64_t> reasons; ///< of either, with how often they came up
    std::chrono::system_clock::time_point lastSeen;
};

/// All that was received and from whom, as it was at one moment.
struct Senders {
    std::vector<Sender> senders; ///< the one seen last comes first
    std::uint64_t requests = 0;
    std::uint64_t samples = 0;
    std::uint64_t bytes = 0;
    std::uint64_t rejected = 0;
    std::uint64_t refused = 0;
};

/// Keeps account of senders. Any thread.
class SenderBook {
public:
    void accepted(const Request &request, const std::string &generation, std::uint64_t samples,
                  std::uint64_t rejected, const std::string &reason);
    void refused(const std::string &peer, const std::string &userAgent, const std::string &reason);

    std::shared_ptr<const Senders> snapshot() const;

private:
    using Key = std::pair<std::string, std::string>; ///< host and user agent

    Sender &senderOf(const std::string &peer, const std::string &userAgent);
    void forgetOldest();

    mutable std::mutex m_mutex;
    std::map<Key, Sender> m_senders;                   ///< guarded by m_mutex, as is all below
    Senders m_totals;                                  ///< without senders
    mutable std::shared_ptr<const Senders> m_snapshot; ///< null after a change
};

} // namespace hearth
