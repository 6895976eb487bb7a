#pragma once

#include "ingest/server/reception.h"
#include "ingest/server/reply_text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hearth {

/// Of the head of an HTTP request, what decides whether its body is read.
struct HttpHead {
    std::string_view target;
    bool isPost = false;
    bool isOptions = false;
    std::size_t hosts = 0;
    std::string_view host;
    bool needsLocalHost = false; ///< it came to a loopback address
    bool hasOrigin = false;
    std::string_view origin;
    bool hasUnknownFraming = false; ///< where its body ends cannot be told
    bool hasContentType = false;
    std::string_view contentType;
    std::string_view contentEncoding;
    std::uint64_t contentLength = 0; ///< 0: unknown, or none
};

/// What a request is answered without looking at its body.
struct EarlyAnswer {
    unsigned status = 0; ///< of HTTP
    StatusCode code = StatusCode::Ok;
    std::string reason;
};

/// @return nothing if the body is to be read, or the request is a permitted preflight
std::optional<EarlyAnswer> answerByHead(const HttpHead &head, std::size_t mostBytes);

EarlyAnswer tooLarge(std::size_t mostBytes);

/// HTTP's status of what became of a request that was read.
unsigned httpStatus(Outcome::Kind kind);

} // namespace hearth
