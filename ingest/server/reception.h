#pragma once

#include "ingest/server/body.h"
#include "ingest/server/reply_text.h"
#include "ingest/server/request.h"
#include "ingest/server/work_pool.h"

#include <optional>
#include <string>
#include <string_view>

namespace hearth {

/// What was sent but never reached the handler, and why.
struct Refusal {
    Transport transport = Transport::Http;
    std::string peer;
    std::string userAgent;
    std::string reason;
};
using RefusalObserver = std::function<void(const Refusal &)>;

/// What the two transports share: limits, threads that decode, and the handler.
struct Reception {
    Limits limits;
    Handler handler;
    RefusalObserver refused; ///< any thread
    ByteBudget budget;
    WorkPool pool;

    Reception(const Limits &limits, Handler handler, RefusalObserver refused);

    void refuse(Transport transport, const std::string &peer, const std::string &userAgent,
                std::string reason) const
    {
        if (refused)
            refused({transport, peer, userAgent, std::move(reason)});
    }
};

/// What became of a request, before it is put into the words of a transport.
struct Outcome {
    enum class Kind { Accepted, Damaged, Refused, TooLarge, OverBudget, Failed };

    Kind kind = Kind::Accepted;
    Reply reply;
    bool isHandlers = false; ///< the handler's word; else it never saw the request
};

/// As gRPC calls it, and OTLP/HTTP in the bodies of its answers.
StatusCode statusCode(Outcome::Kind kind);

/// Unpacks the body and lets the handler decide. Called by the pool's threads.
Outcome receive(Reception &reception, Request request, Packing packing, std::optional<Encoding> encoding);

} // namespace hearth
