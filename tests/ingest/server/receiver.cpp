#include "tests/ingest/server/receiver.h"

#include <stdexcept>

namespace hearth::test {

Receiver::Receiver(const Limits &limits, std::vector<Address> addresses)
{
    auto started = Server::start(
        addresses, [this](const Request &request) { return handle(request); },
        [this](const Refusal &refusal) {
            const std::lock_guard lock(m_mutex);
            m_refusals.push_back(refusal);
            m_changed.notify_all();
        },
        limits);
    if (!started)
        throw std::runtime_error(started.error().message);
    server = std::move(*started);
}

void Receiver::replyWith(Reply reply)
{
    const std::lock_guard lock(m_mutex);
    m_reply = std::move(reply);
}

std::vector<Received> Receiver::received() const
{
    const std::lock_guard lock(m_mutex);
    return m_received;
}

std::vector<Refusal> Receiver::refusals() const
{
    const std::lock_guard lock(m_mutex);
    return m_refusals;
}

void Receiver::awaitRefusals(std::size_t count)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_refusals.size() >= count; });
}

void Receiver::hold()
{
    const std::lock_guard lock(m_mutex);
    m_isHolding = true;
}

void Receiver::awaitHeld(int count)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_held >= count; });
}

void Receiver::release()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isHolding = false;
    }
    m_changed.notify_all();
}

Reply Receiver::handle(const Request &request)
{
    std::unique_lock lock(m_mutex);
    ++m_held;
    m_changed.notify_all();
    m_changed.wait(lock, [&] { return !m_isHolding; });
    m_received.push_back({request.signal, request.encoding, request.transport,
                          std::string(request.body.begin(), request.body.end()), request.peer,
                          request.userAgent});
    return m_reply;
}

} // namespace hearth::test
