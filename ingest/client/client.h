#pragma once

#include "ingest/otlp/signal.h"
#include "ingest/server/address.h"
#include "model/result.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace hearth {

/// What a receiver said to a request.
struct SendAnswer {
    enum class Verdict : std::uint8_t { Accepted, ComeAgain, Refused };

    Verdict verdict = Verdict::Accepted;
    std::int64_t rejected = 0; ///< of what was accepted, so many records were left out
    std::string message;
    std::chrono::milliseconds retryAfter{0};
};

struct ClientOptions {
    bool isGzip = false;
    std::chrono::milliseconds timeout{30'000};
    std::string userAgent = "hearth-send"; ///< what it calls itself
};

/// Sends OTLP requests over one connection, one after the other, as an exporter does. One thread.
class Client {
public:
    Client() = default;
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;
    virtual ~Client() = default;

    /// @return an error if no answer came: the receiver cannot be reached, or went
    virtual Result<SendAnswer> send(Signal signal, Encoding encoding,
                                    std::span<const std::uint8_t> message) = 0;
};

std::unique_ptr<Client> grpcClient(const Address &address, const ClientOptions &options);
std::unique_ptr<Client> httpClient(const Address &address, const ClientOptions &options);

} // namespace hearth
