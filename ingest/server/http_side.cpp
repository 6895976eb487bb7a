#include "ingest/server/http_side.h"

#include "ingest/server/http_session.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <list>
#include <thread>
#include <utility>

namespace hearth {

namespace asio = boost::asio;

struct HttpSide::Impl {
    explicit Impl(Reception &sharedReception) : reception(sharedReception)
    {
        thread = std::jthread([this] { io.run(); });
    }

    /// Runs in the side's thread, which alone touches sessions.
    void begin(const AcceptedSocket &socket)
    {
        const auto place = sessions.emplace(sessions.end());
        *place = HttpSession::begin(io, reception, socket, [this, place] {
            sessions.erase(place);
            --count;
            endIfIdle();
        });
    }

    void endIfIdle()
    {
        if (isStopping && sessions.empty())
            io.stop();
    }

    Reception &reception;
    asio::io_context io{1};
    asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
    std::list<std::shared_ptr<HttpSession>> sessions;
    std::atomic<std::size_t> count = 0;
    bool isStopping = false;
    std::jthread thread;
};

HttpSide::HttpSide(Reception &reception) : m_impl(std::make_unique<Impl>(reception)) {}

HttpSide::~HttpSide()
{
    stop();
}

void HttpSide::adopt(AcceptedSocket socket)
{
    ++m_impl->count;
    asio::post(m_impl->io, [impl = m_impl.get(), socket = std::move(socket)] { impl->begin(socket); });
}

std::size_t HttpSide::connections() const
{
    return m_impl->count;
}

void HttpSide::stop()
{
    if (!m_impl->thread.joinable())
        return;
    asio::steady_timer deadline(m_impl->io);
    asio::post(m_impl->io, [this, &deadline] {
        m_impl->isStopping = true;
        for (const auto &session : m_impl->sessions)
            session->stop();
        deadline.expires_after(m_impl->reception.limits.drain);
        deadline.async_wait([this](const boost::system::error_code &error) {
            for (const auto &session : m_impl->sessions)
                if (!error)
                    session->abandon();
        });
        m_impl->endIfIdle();
    });
    m_impl->thread.join();
}

} // namespace hearth
