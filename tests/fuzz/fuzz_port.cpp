#include "ingest/live/decode_request.h"
#include "ingest/server/server.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

// Speaks to an open port whatever it likes: HTTP, what is no HTTP, and what begins as HTTP/2 does.

namespace {

using namespace hearth;

Limits impatient()
{
    Limits limits;
    limits.requestBytes = 1 << 20;
    limits.receivingBytes = 8 << 20;
    limits.firstBytes = std::chrono::milliseconds(200);
    limits.stall = std::chrono::milliseconds(200);
    limits.threads = 1;
    return limits;
}

std::uint16_t openPort()
{
    static const std::vector<Address> addresses{{"127.0.0.1", 0, {}}};
    static auto *const server = new auto(Server::start(
        addresses,
        [](const Request &request) {
            const auto decoded = decodeRequest(request);
            return decoded ? Reply::accepted() : Reply::refused(decoded.error().message);
        },
        {}, impatient()));
    if (!*server)
        std::abort();
    return (**server)->addresses()[0].port;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const std::uint16_t port = openPort();
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
        std::abort();
    (void)::send(descriptor, data, size, MSG_NOSIGNAL);
    ::shutdown(descriptor, SHUT_WR);
    std::array<char, 4096> answer;
    while (::recv(descriptor, answer.data(), answer.size(), 0) > 0) {
    }
    ::close(descriptor);
    return 0;
}
