#include "ingest/server/http_session.h"

#include "ingest/server/http_head.h"
#include "ingest/server/http_rules.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <sys/socket.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace hearth {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::awaitable;
using Clock = std::chrono::steady_clock;
using Socket = asio::generic::stream_protocol::socket;
using Parser = http::request_parser<http::buffer_body>;
using Head = http::request_header<>;
using Response = http::response<http::string_body>;
using ErrorCode = boost::system::error_code;

constexpr std::size_t kReadAtOnce = 64 * 1024;
constexpr std::size_t kMostDiscarded = 1024 * 1024; ///< of a refused request, so that its sender reads why

std::string_view asView(beast::string_view text)
{
    return {text.data(), text.size()};
}

std::string_view field(const Head &head, http::field name)
{
    const auto found = head.find(name);
    return found == head.end() ? std::string_view() : asView(found->value());
}

const char *mediaType(Encoding encoding)
{
    return encoding == Encoding::Json ? "application/json" : "application/x-protobuf";
}

/// Requests of one connection, one after the other. Awaited values are named before they are looked at, and
/// so are awaited arguments: gcc 12 miscompiles some expressions around co_await.
class Session : public HttpSession, public std::enable_shared_from_this<Session> {
public:
    Session(asio::io_context &io, Reception &reception, const AcceptedSocket &socket)
        : m_io(io), m_reception(reception), m_limits(reception.limits), m_peer(socket.peer),
          m_isLoopback(socket.isLoopback), m_socket(io), m_timer(io)
    {
        const asio::generic::stream_protocol protocol(socket.peer == "unix" ? AF_UNIX : AF_INET, 0);
        m_socket.assign(protocol, socket.descriptor);
    }

    awaitable<void> run()
    {
        bool mayGoOn = true;
        while (mayGoOn && !m_isStopping)
            mayGoOn = co_await serveOne();
        co_await close();
    }

    void stop() override
    {
        m_isStopping = true;
        if (!m_isInRequest)
            abortWait();
    }
    void abandon() override
    {
        ErrorCode ignored;
        m_socket.close(ignored);
    }

private:
    // ---- time

    /// What is waited for next must be there by then.
    void allow(Clock::duration duration)
    {
        m_isLate = false;
        m_timer.expires_after(duration);
        m_timer.async_wait([self = shared_from_this(), wait = ++m_waits](const ErrorCode &aborted) {
            if (aborted || wait != self->m_waits)
                return;
            self->m_isLate = true;
            self->abortWait();
        });
    }
    void disarm()
    {
        ++m_waits;
        m_timer.cancel();
    }
    void abortWait()
    {
        ErrorCode ignored; // a socket that is closed waits for nothing
        m_socket.cancel(ignored);
    }

    // ---- one request

    /// @return whether another may follow
    awaitable<bool> serveOne()
    {
        Parser parser;
        parser.header_limit(static_cast<std::uint32_t>(m_limits.headerBytes));
        parser.body_limit(std::numeric_limits<std::uint64_t>::max()); // Body has its own
        const bool isThere = co_await awaitRequest();
        if (!isThere)
            co_return false;
        m_isInRequest = true;
        m_requestDeadline = Clock::now() + m_limits.request;
        const ErrorCode error = co_await readHead(parser);
        if (error)
            co_return co_await answerUnreadable(error);
        const Head &head = parser.get();
        m_version = parser.get().version();
        m_mayGoOn = parser.keep_alive();
        m_userAgent = field(head, http::field::user_agent);
        m_origin = field(head, http::field::origin);
        const auto encoding = encodingOfMediaType(field(head, http::field::content_type));
        m_encoding = encoding.value_or(Encoding::Protobuf);
        if (const auto early = answerByHead(headOf(parser), m_limits.requestBytes))
            co_return co_await answerEarly(*early, parser);
        if (parser.get().method() == http::verb::options)
            co_return co_await answerPreflight(parser);
        if (equalsIgnoringCase(field(head, http::field::expect), "100-continue")) {
            const bool isSent = co_await sendContinue();
            if (!isSent)
                co_return false;
        }
        co_return co_await receiveBody(parser, encoding);
    }

    awaitable<bool> awaitRequest()
    {
        m_isInRequest = false;
        if (m_buffer.size() > 0)
            co_return true;
        allow(m_limits.idle);
        const ErrorCode error = co_await readSome();
        co_return !error;
    }

    awaitable<ErrorCode> readSome()
    {
        ErrorCode error;
        const std::size_t count =
            co_await m_socket.async_read_some(m_buffer.prepare(kReadAtOnce), redirect(error));
        m_buffer.commit(count);
        co_return error;
    }

    awaitable<ErrorCode> readHead(Parser &parser)
    {
        ErrorCode error;
        allow(m_limits.firstBytes);
        co_await http::async_read_header(m_socket, m_buffer, parser, redirect(error));
        co_return error;
    }

    awaitable<bool> receiveBody(Parser &parser, std::optional<Encoding> encoding)
    {
        const Signal signal = *signalOfPath(asView(parser.get().target()));
        const Packing packing = *packingOf(field(parser.get(), http::field::content_encoding));
        Body body(m_limits.requestBytes, m_reception.budget);
        while (!parser.is_done()) {
            if (const Body::Growth growth = body.makeRoom(); growth != Body::Growth::Ok)
                co_return co_await answerTooMuch(growth, parser);
            const ErrorCode error = co_await readBodyPart(parser, body);
            if (error)
                co_return co_await answerUnreadable(error);
        }
        if (body.bytes().size() > m_limits.requestBytes)
            co_return co_await answerTooMuch(Body::Growth::OverLimit, parser);
        const Request request{.signal = signal,
                              .transport = Transport::Http,
                              .body = body.bytes(),
                              .peer = m_peer,
                              .userAgent = m_userAgent};
        const Outcome outcome = co_await decided(request, packing, encoding);
        co_return co_await answer(outcome, signal);
    }

    awaitable<ErrorCode> readBodyPart(Parser &parser, Body &body)
    {
        ErrorCode error;
        const std::span<std::uint8_t> room = body.room();
        parser.get().body().data = room.data();
        parser.get().body().size = room.size();
        allow(std::min<Clock::duration>(m_limits.stall, m_requestDeadline - Clock::now()));
        co_await http::async_read_some(m_socket, m_buffer, parser, redirect(error));
        body.add(room.size() - parser.get().body().size);
        co_return error == http::error::need_buffer ? ErrorCode() : error;
    }

    /// What the pool's threads make of the request, awaited.
    awaitable<Outcome> decided(const Request &request, Packing packing, std::optional<Encoding> encoding)
    {
        Outcome outcome;
        ErrorCode ignored; // the timer is cancelled: that is the message
        asio::steady_timer isDone(m_io, Clock::time_point::max());
        disarm();
        m_reception.pool.post([&] {
            outcome = receive(m_reception, request, packing, encoding);
            asio::post(m_io, [&isDone] { isDone.cancel(); });
        });
        co_await isDone.async_wait(redirect(ignored));
        co_return outcome;
    }

    HttpHead headOf(Parser &parser) const
    {
        const Head &head = parser.get();
        return {.target = asView(head.target()),
                .isPost = head.method() == http::verb::post,
                .isOptions = head.method() == http::verb::options,
                .hosts = head.count(http::field::host),
                .host = field(head, http::field::host),
                .needsLocalHost = m_isLoopback && (m_version >= 11 || head.count(http::field::host) > 0),
                .hasOrigin = head.count(http::field::origin) > 0,
                .origin = m_origin,
                .hasUnknownFraming = head.count(http::field::transfer_encoding) > 0 && !parser.chunked(),
                .hasContentType = head.count(http::field::content_type) > 0,
                .contentType = field(head, http::field::content_type),
                .contentEncoding = field(head, http::field::content_encoding),
                .contentLength = parser.content_length() ? *parser.content_length() : 0};
    }

    // ---- answers

    awaitable<bool> answer(const Outcome &outcome, Signal signal)
    {
        Response response = begun(http::int_to_status(httpStatus(outcome.kind)));
        if (outcome.kind == Outcome::Kind::Accepted)
            response.body() = exportResponse(outcome.reply, signal, m_encoding);
        else
            response.body() = statusMessage(statusCode(outcome.kind), outcome.reply.message,
                                            outcome.reply.retryAfter, m_encoding);
        if (outcome.kind == Outcome::Kind::OverBudget)
            setRetryAfter(response, outcome.reply.retryAfter);
        co_return co_await send(response);
    }

    /// The rest of the request is not read, so none may follow.
    awaitable<bool> answerEarly(const EarlyAnswer &early, Parser &parser)
    {
        m_reception.refuse(Transport::Http, m_peer, m_userAgent, early.reason);
        const bool isUnclear = parser.get().count(http::field::transfer_encoding) > 0; // where it ends
        m_mayGoOn = m_mayGoOn && parser.is_done() && !isUnclear;
        Response response = begun(http::int_to_status(early.status));
        response.body() = statusMessage(early.code, early.reason, {}, m_encoding);
        if (response.result() == http::status::method_not_allowed)
            response.set(http::field::allow, "POST, OPTIONS");
        co_return co_await send(response);
    }

    awaitable<bool> answerTooMuch(Body::Growth growth, Parser &parser)
    {
        if (growth == Body::Growth::OverLimit) {
            const EarlyAnswer early = tooLarge(m_limits.requestBytes);
            co_return co_await answerEarly(early, parser);
        }
        const std::string reason = "too much is being received at once";
        m_reception.refuse(Transport::Http, m_peer, m_userAgent, reason);
        m_mayGoOn = false;
        Response response = begun(http::status::service_unavailable);
        response.body() = statusMessage(StatusCode::Unavailable, reason, std::chrono::seconds(1), m_encoding);
        setRetryAfter(response, std::chrono::seconds(1));
        co_return co_await send(response);
    }

    /// Says what is wrong with it unless there is nobody to hear it.
    awaitable<bool> answerUnreadable(ErrorCode error)
    {
        m_mayGoOn = false;
        const bool isTimeout = m_isLate;
        const bool isHttps =
            m_buffer.size() > 0 && *static_cast<const char *>(m_buffer.data().data()) == 0x16;
        if (!isTimeout && error.category() != http::make_error_code(http::error::bad_method).category()) {
            m_reception.refuse(Transport::Http, m_peer, m_userAgent,
                               "the connection ended before its request did: " + error.message());
            co_return false;
        }
        const std::string reason = isTimeout ? "the request did not come to its end in time"
                                   : isHttps ? "this is TLS, which is not spoken here"
                                             : "the request is no HTTP: " + error.message();
        m_reception.refuse(Transport::Http, m_peer, m_userAgent, reason);
        Response response =
            begun(isTimeout                            ? http::status::request_timeout
                  : error == http::error::header_limit ? http::status::request_header_fields_too_large
                                                       : http::status::bad_request);
        response.body() = statusMessage(StatusCode::InvalidArgument, reason, {}, m_encoding);
        co_return co_await send(response);
    }

    /// For pages that this machine served; the others were refused before.
    awaitable<bool> answerPreflight(Parser &parser)
    {
        m_mayGoOn = m_mayGoOn && parser.is_done();
        Response response = begun(http::status::no_content);
        response.set(http::field::access_control_allow_methods, "POST");
        response.set(http::field::access_control_allow_headers,
                     field(parser.get(), http::field::access_control_request_headers).empty()
                         ? beast::string_view("content-type, content-encoding")
                         : parser.get()[http::field::access_control_request_headers]);
        response.set(http::field::access_control_max_age, "600");
        co_return co_await send(response);
    }

    awaitable<bool> sendContinue()
    {
        http::response<http::empty_body> response(http::status::continue_, 11);
        ErrorCode error;
        allow(m_limits.stall);
        co_await http::async_write(m_socket, response, redirect(error));
        co_return !error;
    }

    Response begun(http::status status) const
    {
        Response response(status, m_version);
        response.set(http::field::server, "hearth");
        if (status != http::status::no_content)
            response.set(http::field::content_type, mediaType(m_encoding));
        if (!m_origin.empty() && isLocalOrigin(m_origin)) {
            response.set(http::field::access_control_allow_origin, m_origin);
            response.set(http::field::vary, "Origin");
        }
        return response;
    }

    static void setRetryAfter(Response &response, std::chrono::milliseconds after)
    {
        response.set(http::field::retry_after,
                     std::to_string(std::max<std::int64_t>(1, (after.count() + 999) / 1000)));
    }

    awaitable<bool> send(Response &response)
    {
        m_mayGoOn = m_mayGoOn && !m_isStopping;
        response.keep_alive(m_mayGoOn);
        response.prepare_payload();
        ErrorCode error;
        allow(m_limits.stall);
        co_await http::async_write(m_socket, response, redirect(error));
        co_return m_mayGoOn && !error;
    }

    /// Reads on for a moment: closing with bytes unread would take the answer from the sender.
    awaitable<void> close()
    {
        ErrorCode error;
        m_socket.shutdown(asio::socket_base::shutdown_send, error);
        allow(std::min<std::chrono::milliseconds>(m_limits.stall, std::chrono::seconds(2)));
        for (std::size_t discarded = 0; !error && !m_isStopping && discarded < kMostDiscarded;) {
            m_buffer.clear();
            error = co_await readSome();
            discarded += m_buffer.size();
        }
        disarm();
        abandon();
    }

    static asio::redirect_error_t<asio::use_awaitable_t<>> redirect(ErrorCode &error)
    {
        return {asio::use_awaitable, error};
    }

    asio::io_context &m_io;
    Reception &m_reception;
    const Limits &m_limits;
    const std::string m_peer;
    const bool m_isLoopback;
    Socket m_socket;
    asio::steady_timer m_timer;
    std::uint64_t m_waits = 0; ///< so that a timer that was too late to be cancelled is known as such
    bool m_isLate = false;
    beast::flat_buffer m_buffer;

    Clock::time_point m_requestDeadline;
    std::string m_userAgent;
    std::string m_origin;
    Encoding m_encoding = Encoding::Protobuf;
    unsigned m_version = 11;
    bool m_mayGoOn = false;
    bool m_isInRequest = false;
    bool m_isStopping = false;
};

} // namespace

std::shared_ptr<HttpSession> HttpSession::begin(asio::io_context &io, Reception &reception,
                                                const AcceptedSocket &socket, std::function<void()> ended)
{
    const auto session = std::make_shared<Session>(io, reception, socket);
    auto begin = [&io, session, ended = std::move(ended)] {
        asio::co_spawn(
            io, [session]() -> awaitable<void> { co_await session->run(); },
            [session, ended](std::exception_ptr failure) {
                if (failure) // out of memory: this connection ends, the others do not
                    session->abandon();
                ended();
            });
    };
    asio::post(io, std::move(begin)); // newer Asio would run it here and now
    return session;
}

} // namespace hearth
