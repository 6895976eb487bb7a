#include "tests/ingest/server/raw_connection.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace hearth::test {

namespace {

std::string lower(std::string text)
{
    std::ranges::transform(text, text.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return text;
}

int connected(int family, const sockaddr *address, socklen_t size)
{
    const int descriptor = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || ::connect(descriptor, address, size) != 0)
        throw std::runtime_error(std::string("cannot connect: ") + std::strerror(errno));
    return descriptor;
}

} // namespace

RawConnection::RawConnection(std::uint16_t port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    m_descriptor = connected(AF_INET, reinterpret_cast<const sockaddr *>(&address), sizeof address);
}

RawConnection::RawConnection(const std::string &unixPath)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, unixPath.c_str(), unixPath.size() + 1);
    m_descriptor = connected(AF_UNIX, reinterpret_cast<const sockaddr *>(&address), sizeof address);
}

RawConnection::~RawConnection()
{
    ::close(m_descriptor);
}

bool RawConnection::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::send(m_descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

void RawConnection::endSending()
{
    ::shutdown(m_descriptor, SHUT_WR);
}

bool RawConnection::receiveMore()
{
    std::array<char, 65536> block;
    const ssize_t count = ::recv(m_descriptor, block.data(), block.size(), 0);
    if (count > 0)
        m_received.append(block.data(), static_cast<std::size_t>(count));
    return count > 0;
}

HttpAnswer RawConnection::answer()
{
    HttpAnswer answer;
    std::size_t end = std::string::npos;
    while ((end = m_received.find("\r\n\r\n")) == std::string::npos)
        if (!receiveMore())
            return answer;
    const std::string head = m_received.substr(0, end + 2);
    m_received.erase(0, end + 4);
    for (std::size_t at = head.find("\r\n") + 2; at < head.size();) {
        const std::size_t lineEnd = head.find("\r\n", at);
        const std::size_t colon = head.find(": ", at);
        answer.fields[lower(head.substr(at, colon - at))] = head.substr(colon + 2, lineEnd - colon - 2);
        at = lineEnd + 2;
    }
    answer.status = std::stoi(head.substr(head.find(' ') + 1));
    const auto length = answer.fields.find("content-length");
    const std::size_t size = length == answer.fields.end() ? 0 : std::stoul(length->second);
    while (m_received.size() < size)
        if (!receiveMore())
            break;
    answer.body = m_received.substr(0, size);
    m_received.erase(0, size);
    return answer;
}

void RawConnection::awaitBytes()
{
    if (m_received.empty())
        receiveMore();
}

std::string RawConnection::untilEnd()
{
    while (receiveMore()) {
    }
    return std::exchange(m_received, {});
}

std::string post(std::string_view path, std::string_view body, std::string_view fields,
                 std::string_view contentType)
{
    std::string request = "POST " + std::string(path) +
                          " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) +
                          "\r\n";
    if (!contentType.empty())
        request += "Content-Type: " + std::string(contentType) + "\r\n";
    return request + std::string(fields) + "\r\n" + std::string(body);
}

HttpAnswer answerTo(std::uint16_t port, std::string_view request)
{
    RawConnection connection(port);
    connection.send(request);
    return connection.answer();
}

} // namespace hearth::test
