#pragma once

#include "ingest/server/http_side.h"

#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace hearth {

/// The requests of one HTTP connection, in the thread that runs the io_context.
class HttpSession {
public:
    /// @param ended is called when the connection is closed, never before begin() has returned
    static std::shared_ptr<HttpSession> begin(boost::asio::io_context &io, Reception &reception,
                                              const AcceptedSocket &socket, std::function<void()> ended);

    HttpSession() = default;
    HttpSession(const HttpSession &) = delete;
    HttpSession &operator=(const HttpSession &) = delete;
    virtual ~HttpSession() = default;

    /// Ends at once what waits for a request; the others answer first.
    virtual void stop() = 0;

    /// Closes the connection, whatever it is in the middle of.
    virtual void abandon() = 0;
};

} // namespace hearth
