#pragma once

#include "ingest/server/server.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

namespace hearth::test {

struct Received {
    Signal signal;
    Encoding encoding;
    Transport transport;
    std::string body;
    std::string peer;
    std::string userAgent;
};

/// A server on a free port that keeps what it receives and replies as it is told.
class Receiver {
public:
    explicit Receiver(const Limits &limits = {}, std::vector<Address> addresses = {{"127.0.0.1", 0, {}}});

    std::uint16_t port() const { return server->addresses().front().port; }
    std::string target() const { return "127.0.0.1:" + std::to_string(port()); }

    void replyWith(Reply reply);
    std::vector<Received> received() const;
    std::vector<Refusal> refusals() const;
    /// A refusal may be reported just after its sender has had the answer.
    void awaitRefusals(std::size_t count);

    /// Handlers wait until release(); awaitHeld() returns when so many do.
    void hold();
    void awaitHeld(int count);
    void release();

private:
    Reply handle(const Request &request);

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    Reply m_reply;
    std::vector<Received> m_received;
    std::vector<Refusal> m_refusals;
    bool m_isHolding = false;
    int m_held = 0;

public:
    std::unique_ptr<Server> server; ///< the last member: it calls the others until it is gone
};

} // namespace hearth::test
