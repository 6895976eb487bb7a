#include "tests/support/http_server.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace hearth::test {

namespace {

constexpr int kLookForStopMs = 50;

/// @return whether there is something to read, or the other side has gone; not if stopped before
bool waitFor(int descriptor, const std::stop_token &stop)
{
    while (!stop.stop_requested()) {
        pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
        if (::poll(&waiting, 1, kLookForStopMs) > 0)
            return true;
    }
    return false;
}

/// Up to the empty line behind its head.
std::string requestFrom(int connection, const std::stop_token &stop)
{
    std::string request;
    std::array<char, 4096> piece;
    while (request.find("\r\n\r\n") == std::string::npos && waitFor(connection, stop)) {
        const ssize_t got = ::recv(connection, piece.data(), piece.size(), 0);
        if (got <= 0)
            return {};
        request.append(piece.data(), static_cast<std::size_t>(got));
    }
    return request;
}

void send(int connection, const std::string &bytes)
{
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t count = ::send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (count <= 0)
            return; // who asked has gone
        sent += static_cast<std::size_t>(count);
    }
}

std::string reply(const std::string &status, const std::string &body)
{
    return "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Type: application/octet-stream\r\n" +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

} // namespace

HttpServer::HttpServer(Files files)
    : m_files(std::move(files)), m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto *const generic = reinterpret_cast<sockaddr *>(&address);
    if (::bind(m_listener, generic, size) != 0 || ::listen(m_listener, 8) != 0 ||
        ::getsockname(m_listener, generic, &size) != 0)
        throw std::runtime_error("there is no port to listen at");
    m_port = ntohs(address.sin_port);
    m_thread = std::jthread([this](const std::stop_token &stop) { serve(stop); });
}

HttpServer::~HttpServer()
{
    m_thread.request_stop();
    m_thread.join();
    ::close(m_listener);
}

void HttpServer::serve(const std::stop_token &stop)
{
    while (waitFor(m_listener, stop)) {
        const int connection = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0)
            continue;
        answer(connection, stop);
        ::close(connection);
    }
}

void HttpServer::answer(int connection, const std::stop_token &stop)
{
    const std::string request = requestFrom(connection, stop);
    m_asked.release();
    const std::size_t begin = request.find(' ') + 1;
    const auto file = m_files.find(request.substr(begin, request.find(' ', begin) - begin));
    if (file == m_files.end())
        return send(connection, reply("404 Not Found", {}));
    if (file->second == kNeverAnswered) {
        waitFor(connection, stop); // until who asked has gone
        return;
    }
    std::ifstream content(file->second, std::ios::binary);
    send(connection, reply("200 OK", {std::istreambuf_iterator<char>(content), {}}));
}

} // namespace hearth::test
