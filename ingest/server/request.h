#pragma once

#include "ingest/otlp/signal.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace hearth {

enum class Transport : std::uint8_t { Grpc, Http };

/// What a sender sent, its compression taken off.
struct Request {
    Signal signal = Signal::Profiles;
    Encoding encoding = Encoding::Protobuf;
    Transport transport = Transport::Grpc;
    std::span<const std::uint8_t> body; ///< valid while the handler runs
    std::string peer;                   ///< "127.0.0.1:52114", or "unix"
    std::string userAgent;
};

/// What the sender is told.
struct Reply {
    enum class Verdict : std::uint8_t {
        Accepted,   ///< all of it, or all but what `rejected` counts
        Refused,    ///< nothing of it, and it need not come again
        OverBudget, ///< nothing of it; it may come again after `retryAfter`
    };

    Verdict verdict = Verdict::Accepted;
    std::int64_t rejected = 0; ///< records that were left out
    std::string message;       ///< why something was left out, or why all of it was
    std::chrono::milliseconds retryAfter{1000};

    static Reply accepted(std::int64_t rejected = 0, std::string message = {})
    {
        return {Verdict::Accepted, rejected, std::move(message), {}};
    }
    static Reply refused(std::string message) { return {Verdict::Refused, 0, std::move(message), {}}; }
    static Reply overBudget(std::string message, std::chrono::milliseconds retryAfter)
    {
        return {Verdict::OverBudget, 0, std::move(message), retryAfter};
    }
};

/// Takes a request and answers it. Called by several threads at once; may wait for what it hands on to.
using Handler = std::function<Reply(const Request &)>;

/// What one sender, and all of them together, may take.
struct Limits {
    std::size_t requestBytes = std::size_t(64) << 20;    ///< of one request, compression taken off
    std::size_t receivingBytes = std::size_t(512) << 20; ///< of all requests that have not been answered
    std::size_t headerBytes = std::size_t(16) << 10;
    std::size_t connections = 4000; ///< more than these are closed at once
    unsigned threads = 0;           ///< that decode; 0: as many as there are processors, but two
    std::chrono::milliseconds firstBytes{10'000}; ///< until a connection tells what it speaks
    std::chrono::milliseconds stall{15'000};      ///< without a byte in the middle of a request or a reply
    std::chrono::milliseconds request{120'000};   ///< from the first byte of a request to its last
    std::chrono::milliseconds idle{300'000};      ///< between requests
    std::chrono::milliseconds drain{5'000};       ///< for requests under way, when the server is stopped
};

} // namespace hearth
