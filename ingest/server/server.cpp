#include "ingest/server/server.h"

#include "ingest/server/grpc_side.h"
#include "ingest/server/http_side.h"
#include "ingest/server/port_holder.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <list>
#include <string_view>
#include <thread>

namespace hearth {

namespace {

namespace asio = boost::asio;
using asio::awaitable;
using asio::ip::tcp;
using Local = asio::local::stream_protocol;
using Socket = asio::generic::stream_protocol::socket;
using ErrorCode = boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kHttp2Preface = "PRI";
constexpr auto kBetweenPeeks = std::chrono::milliseconds(20);
constexpr auto kAfterFailedAccept = std::chrono::milliseconds(50);
constexpr auto kBetweenSweeps = std::chrono::milliseconds(500);

auto redirect(ErrorCode &error)
{
    return asio::redirect_error_t<asio::use_awaitable_t<>>(asio::use_awaitable, error);
}

void raiseDescriptorLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit); // without it there are fewer connections, that is all
}

std::string describeFailure(const Address &address, const ErrorCode &error)
{
    const std::string what = "cannot listen on " + toString(address) + ": ";
    if (error != asio::error::address_in_use)
        return what + error.message();
    if (address.isUnix())
        return what + "another program listens there";
    const std::string holder = portHolder(address.port);
    const auto free = nextFreePort(address.port);
    return what + "the port is in use" + (holder.empty() ? "" : " by " + holder) +
           (free ? "; port " + std::to_string(*free) + " is free" : "");
}

/// A socket file that nobody listens on any more is in the way of the next.
void removeDeadSocket(const std::string &path)
{
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode))
        return;
    asio::io_context io;
    Local::socket probe(io);
    ErrorCode error;
    probe.connect(Local::endpoint(path), error);
    if (error == asio::error::connection_refused)
        ::unlink(path.c_str());
}

AcceptedSocket described(const tcp::socket &socket)
{
    AcceptedSocket accepted;
    ErrorCode error;
    const tcp::endpoint remote = socket.remote_endpoint(error);
    if (!error) {
        const std::string host = remote.address().to_string();
        accepted.peer =
            (remote.address().is_v6() ? '[' + host + ']' : host) + ':' + std::to_string(remote.port());
    }
    const tcp::endpoint local = socket.local_endpoint(error);
    accepted.isLoopback = !error && local.address().is_loopback();
    return accepted;
}

AcceptedSocket described(const Local::socket &)
{
    return {.peer = "unix"};
}

} // namespace

struct Server::Impl {
    Impl(Handler handler, RefusalObserver refused, const Limits &limits)
        : reception(limits, std::move(handler), std::move(refused)), http(reception)
    {}

    Result<void> listen(const Address &address);
    Result<void> listenOnIp(Address address, bool isOptional);
    Result<void> listenOnPath(const Address &address);

    template <class Acceptor>
    awaitable<void> acceptAll(Acceptor &acceptor);
    awaitable<void> sort(Socket socket, AcceptedSocket accepted);
    std::size_t connections();
    awaitable<void> sweep();
    void run();
    void stop();

    Reception reception;
    HttpSide http;
    std::unique_ptr<GrpcSide> grpc;
    std::vector<Address> addresses;

    asio::io_context io{1};
    std::list<tcp::acceptor> tcpAcceptors;
    std::list<Local::acceptor> localAcceptors;
    std::size_t sorting = 0;      ///< connections that have not told yet what they speak
    std::size_t atMostOfGrpc = 0; ///< its connections, the closed ones among them until they are counted
    std::jthread thread;
};

// ---- listening

Result<void> Server::Impl::listen(const Address &address)
{
    if (address.isUnix())
        return listenOnPath(address);
    if (address.host != "localhost")
        return listenOnIp(address, false);
    Address v4 = address;
    v4.host = "127.0.0.1";
    if (const auto listening = listenOnIp(v4, false); !listening)
        return listening;
    // Some senders try ::1 first when told localhost; not every machine has it.
    return listenOnIp({.host = "::1", .port = addresses.back().port, .path = {}}, true);
}

Result<void> Server::Impl::listenOnIp(Address address, bool isOptional)
{
    ErrorCode error;
    tcp::acceptor acceptor(io);
    const tcp::endpoint endpoint(asio::ip::make_address(address.host), address.port);
    acceptor.open(endpoint.protocol(), error);
    if (!error && endpoint.address().is_v6())
        acceptor.set_option(asio::ip::v6_only(true), error);
    if (!error)
        acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error)
        acceptor.bind(endpoint, error);
    if (!error)
        acceptor.listen(asio::socket_base::max_listen_connections, error);
    const bool isAbsent = error == asio::error::address_family_not_supported ||
                          error == boost::system::errc::address_not_available;
    if (isOptional && isAbsent)
        return {};
    if (error)
        return failure(describeFailure(address, error));
    address.port = acceptor.local_endpoint().port();
    tcpAcceptors.push_back(std::move(acceptor));
    addresses.push_back(std::move(address));
    return {};
}

Result<void> Server::Impl::listenOnPath(const Address &address)
{
    removeDeadSocket(address.path);
    ErrorCode error;
    Local::acceptor acceptor(io);
    acceptor.open(Local(), error);
    const mode_t before = ::umask(0177); // only this user may connect
    if (!error)
        acceptor.bind(Local::endpoint(address.path), error);
    ::umask(before);
    if (!error)
        acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error)
        return failure(describeFailure(address, error));
    localAcceptors.push_back(std::move(acceptor));
    addresses.push_back(address);
    return {};
}

// ---- connections

template <class Acceptor>
awaitable<void> Server::Impl::acceptAll(Acceptor &acceptor)
{
    while (acceptor.is_open()) {
        ErrorCode error;
        auto socket = co_await acceptor.async_accept(redirect(error));
        if (error == asio::error::operation_aborted)
            co_return;
        if (error) { // out of descriptors, above all: some will be given back
            asio::steady_timer pause(io, kAfterFailedAccept);
            co_await pause.async_wait(redirect(error));
            continue;
        }
        if (connections() >= reception.limits.connections)
            continue;
        const AcceptedSocket accepted = described(socket);
        ++sorting;
        asio::co_spawn(io, sort(Socket(std::move(socket)), accepted),
                       [this](std::exception_ptr) { --sorting; });
    }
}

/// Those that are open, or more. The true number is looked up where it matters.
std::size_t Server::Impl::connections()
{
    const std::size_t others = sorting + http.connections();
    if (others + atMostOfGrpc >= reception.limits.connections)
        atMostOfGrpc = grpc->connections();
    return others + atMostOfGrpc;
}

/// Waits for the first bytes and hands the connection to those who speak that.
awaitable<void> Server::Impl::sort(Socket socket, AcceptedSocket accepted)
{
    std::array<char, kHttp2Preface.size()> first{};
    ErrorCode error;
    const auto waiting = std::make_shared<Socket *>(&socket); // the timer may ring when nobody waits any more
    asio::steady_timer timer(io, reception.limits.firstBytes);
    timer.async_wait([socket = std::weak_ptr(waiting)](const ErrorCode &aborted) {
        if (const auto late = socket.lock(); late && !aborted)
            (*late)->close();
    });
    std::string_view seen;
    while (true) {
        co_await socket.async_wait(Socket::wait_read, redirect(error));
        std::size_t count = 0;
        if (!error)
            count = socket.receive(asio::buffer(first), asio::socket_base::message_peek, error);
        if (error || count == 0)
            break;
        const bool isMore = count > seen.size();
        seen = {first.data(), count};
        if (seen == kHttp2Preface || !kHttp2Preface.starts_with(seen))
            break;
        if (!isMore) { // the bytes seen stay readable, so waiting for them to be would not wait
            asio::steady_timer pause(io, kBetweenPeeks);
            co_await pause.async_wait(redirect(error));
        }
    }
    timer.cancel();
    if (error || seen.empty() || !socket.is_open())
        co_return;
    accepted.descriptor = socket.release(error);
    if (error)
        co_return;
    if (seen == kHttp2Preface) {
        ++atMostOfGrpc;
        grpc->adopt(accepted.descriptor);
    } else {
        http.adopt(std::move(accepted));
    }
}

awaitable<void> Server::Impl::sweep()
{
    ErrorCode error;
    for (asio::steady_timer timer(io); !error;) {
        timer.expires_after(kBetweenSweeps);
        co_await timer.async_wait(redirect(error));
        grpc->endStalledCalls();
    }
}

void Server::Impl::run()
{
    for (tcp::acceptor &acceptor : tcpAcceptors)
        asio::co_spawn(io, acceptAll(acceptor), asio::detached);
    for (Local::acceptor &acceptor : localAcceptors)
        asio::co_spawn(io, acceptAll(acceptor), asio::detached);
    asio::co_spawn(io, sweep(), asio::detached);
    thread = std::jthread([this] { io.run(); });
}

void Server::Impl::stop()
{
    if (!thread.joinable())
        return;
    io.stop();
    thread.join();
    tcpAcceptors.clear();
    localAcceptors.clear();
    for (const Address &address : addresses)
        if (address.isUnix())
            ::unlink(address.path.c_str());
    std::jthread stoppingHttp([this] { http.stop(); });
    grpc->stop();
}

// ----

Server::Server(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

Server::~Server()
{
    stop();
}

Result<std::unique_ptr<Server>> Server::start(std::span<const Address> addresses, Handler handler,
                                              RefusalObserver refused, const Limits &limits)
{
    raiseDescriptorLimit();
    auto impl = std::make_unique<Impl>(std::move(handler), std::move(refused), limits);
    for (const Address &address : addresses)
        if (const auto listening = impl->listen(address); !listening)
            return tl::unexpected(listening.error());
    auto grpc = GrpcSide::start(impl->reception);
    if (!grpc)
        return tl::unexpected(grpc.error());
    impl->grpc = std::move(*grpc);
    impl->run();
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

const std::vector<Address> &Server::addresses() const
{
    return m_impl->addresses;
}

void Server::stop()
{
    m_impl->stop();
}

} // namespace hearth
