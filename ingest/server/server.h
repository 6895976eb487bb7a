#pragma once

#include "ingest/server/address.h"
#include "ingest/server/reception.h"
#include "ingest/server/request.h"
#include "model/result.h"

#include <memory>
#include <span>
#include <vector>

namespace hearth {

/// Receives OTLP: every address speaks gRPC, HTTP with protobuf and HTTP with JSON, told apart by the first
/// bytes of a connection.
///
///     accept ─ first bytes ─┬─ "PRI" ─▶ GrpcSide ─┐
///                           └─ else ──▶ HttpSide ─┴─▶ WorkPool: unpack, Handler ─▶ reply
class Server {
public:
    /// Raises the number of files that the process may have open, as far as that goes.
    /// @return an error if one of the addresses cannot be listened on, saying who holds it
    static Result<std::unique_ptr<Server>> start(std::span<const Address> addresses, Handler handler,
                                                 RefusalObserver refused = {}, const Limits &limits = {});
    Server(const Server &) = delete;
    Server &operator=(const Server &) = delete;
    ~Server();

    /// With the ports that were chosen where none was given.
    const std::vector<Address> &addresses() const;

    /// Listens no longer, and answers what is under way. The handler is not called any more afterwards.
    void stop();

private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl);

    std::unique_ptr<Impl> m_impl;
};

} // namespace hearth
