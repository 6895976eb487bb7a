#pragma once

#include "ingest/server/reception.h"

#include <memory>
#include <string>

namespace hearth {

/// A connection that was accepted elsewhere.
struct AcceptedSocket {
    int descriptor = -1;
    std::string peer;        ///< "127.0.0.1:52114", or "unix"
    bool isLoopback = false; ///< it came to a loopback address, so no page of another host may be behind it
};

/// The half of the port that speaks HTTP/1.1, in a thread of its own.
class HttpSide {
public:
    /// @param reception must outlive the HttpSide
    explicit HttpSide(Reception &reception);
    HttpSide(const HttpSide &) = delete;
    HttpSide &operator=(const HttpSide &) = delete;
    ~HttpSide();

    /// Takes over a connected socket. Any thread.
    void adopt(AcceptedSocket socket);

    std::size_t connections() const;

    /// Lets requests under way end, for as long as the limits allow, and ends all others.
    void stop();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace hearth
