#include "ingest/server/address.h"

#include <arpa/inet.h>
#include <sys/un.h>

#include <charconv>
#include <optional>
#include <utility>

namespace hearth {

namespace {

bool isIpv4(const std::string &text)
{
    in_addr address{};
    return ::inet_pton(AF_INET, text.c_str(), &address) == 1;
}

bool isIpv6(const std::string &text)
{
    in6_addr address{};
    return ::inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

std::optional<std::uint16_t> parsePort(std::string_view text)
{
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    const bool isPort = error == std::errc() && end == text.data() + text.size();
    return isPort ? std::optional(port) : std::nullopt;
}

Result<Address> unixAddress(std::string_view path)
{
    if (path.empty() || path.size() >= sizeof(sockaddr_un::sun_path))
        return failure("the path of a unix socket has 1 to " +
                       std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes, not " +
                       std::to_string(path.size()));
    if (path.find('\0') != std::string_view::npos)
        return failure("the path of a unix socket cannot contain a zero byte");
    return Address{.host = {}, .path = std::string(path)};
}

} // namespace

bool isLoopbackIp(std::string_view text)
{
    const std::string ip(text);
    in_addr v4{};
    if (::inet_pton(AF_INET, ip.c_str(), &v4) == 1)
        return (ntohl(v4.s_addr) >> 24) == 127;
    in6_addr v6{};
    return ::inet_pton(AF_INET6, ip.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

bool Address::isLocal() const
{
    return isUnix() || host == "localhost" || isLoopbackIp(host);
}

Result<Address> parseAddress(std::string_view text)
{
    if (text.starts_with("unix:"))
        return unixAddress(text.starts_with("unix://") ? text.substr(7) : text.substr(5));
    if (text.starts_with("http://"))
        text.remove_prefix(7);
    else if (text.find('/') != std::string_view::npos)
        return unixAddress(text);
    const std::string wrong = "'" + std::string(text) + "' is no address; write HOST:PORT or unix:PATH";
    Address address{.host = "localhost", .port = kDefaultPort, .path = {}};
    if (const auto port = parsePort(text)) {
        address.port = *port;
        return address;
    }
    std::string_view host = text;
    const std::size_t colon = text.rfind(':');
    const bool isBracketed = text.starts_with('[');
    const bool hasPort = colon != std::string_view::npos &&
                         (isBracketed ? text.find(']') + 1 == colon : text.find(':') == colon);
    if (hasPort) {
        const auto port = parsePort(text.substr(colon + 1));
        if (!port)
            return failure(wrong);
        address.port = *port;
        host = text.substr(0, colon);
    }
    if (isBracketed) {
        if (!host.ends_with(']'))
            return failure(wrong);
        host = host.substr(1, host.size() - 2);
    }
    if (host.empty())
        return isBracketed || !hasPort ? Result<Address>(failure(wrong)) : Result<Address>(address);
    address.host = host;
    if (host != "localhost" && !isIpv4(address.host) && !isIpv6(address.host))
        return failure("'" + address.host +
                       "' is neither localhost nor an IP address; names are not looked up");
    return address;
}

std::string peerOfGrpc(const std::string &peer)
{
    if (peer.starts_with("unix"))
        return "unix";
    std::string name = peer.substr(peer.find(':') + 1);
    for (const auto &[escape, bracket] : {std::pair{"%5B", "["}, std::pair{"%5D", "]"}})
        if (const std::size_t at = name.find(escape); at != std::string::npos)
            name.replace(at, 3, bracket);
    return name;
}

std::string toString(const Address &address)
{
    if (address.isUnix())
        return "unix:" + address.path;
    const bool isV6 = address.host.find(':') != std::string::npos;
    return (isV6 ? '[' + address.host + ']' : address.host) + ':' + std::to_string(address.port);
}

} // namespace hearth
