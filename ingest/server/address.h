#pragma once

#include "model/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hearth {

/// Where Hearth listens, or where it sends to: an IP address with a port, or a unix socket.
struct Address {
    std::string host; ///< an IP address or "localhost", which is 127.0.0.1 and ::1; empty for a unix socket
    std::uint16_t port = 0; ///< 0: any that is free
    std::string path;       ///< of a unix socket

    bool isUnix() const { return !path.empty(); }

    /// Whether only programs on this machine can come through it.
    bool isLocal() const;

    bool operator==(const Address &) const = default;
};

inline constexpr std::uint16_t kDefaultPort = 11000;

/// Reads `HOST:PORT`, `[::1]:PORT`, `HOST`, `PORT`, `:PORT` (without a host it is localhost), `unix:PATH` or
/// a path with a slash in it. Names other than localhost are not looked up: what opens Hearth to a network is
/// written down as the address it is.
Result<Address> parseAddress(std::string_view text);

/// As parseAddress() reads it.
std::string toString(const Address &address);

/// "127.0.0.1:52114" of what gRPC calls "ipv4:127.0.0.1:52114"; "unix" of a unix socket.
std::string peerOfGrpc(const std::string &peer);

/// Whether the text is an IP address of this machine to itself: 127.0.0.0/8 or ::1.
bool isLoopbackIp(std::string_view text);

} // namespace hearth
