#pragma once

#include "ingest/server/reception.h"
#include "model/result.h"

#include <memory>

namespace hearth {

/// The half of the port that speaks gRPC. It listens nowhere: connections are given to it once their first
/// bytes have told what they are.
class GrpcSide {
public:
    /// @param reception must outlive the GrpcSide
    static Result<std::unique_ptr<GrpcSide>> start(Reception &reception);
    GrpcSide(const GrpcSide &) = delete;
    GrpcSide &operator=(const GrpcSide &) = delete;
    ~GrpcSide();

    /// Takes over a connected socket. One thread, the same that asks for connections().
    void adopt(int descriptor);

    /// How many of the sockets that were taken over are open yet. Looks at each of them.
    std::size_t connections();

    /// Ends calls whose sender has been silent in the middle of a request for too long. Any thread, now and
    /// then.
    void endStalledCalls();

    /// Lets calls under way end, for as long as the limits allow, and ends all others.
    void stop();

private:
    struct Impl;
    explicit GrpcSide(std::unique_ptr<Impl> impl);

    std::unique_ptr<Impl> m_impl;
};

} // namespace hearth
