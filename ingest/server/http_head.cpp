#include "ingest/server/http_head.h"

#include "ingest/server/http_rules.h"

namespace hearth {

namespace {

/// By whom it is for and whom it is from: pages of other hosts have no business here.
std::optional<EarlyAnswer> answerToForeigner(const HttpHead &head)
{
    if (head.needsLocalHost && !isLocalHost(head.host))
        return EarlyAnswer{403, StatusCode::PermissionDenied,
                           "requests to the host '" + std::string(head.host) + "' are not for this machine"};
    if (head.hosts > 1)
        return EarlyAnswer{400, StatusCode::InvalidArgument, "there are two hosts"};
    if (head.hasOrigin && !isLocalOrigin(head.origin))
        return EarlyAnswer{403, StatusCode::PermissionDenied,
                           "pages of " + std::string(head.origin) + " may not send here"};
    return std::nullopt;
}

std::optional<EarlyAnswer> answerByContent(const HttpHead &head, std::size_t mostBytes)
{
    if (head.hasUnknownFraming)
        return EarlyAnswer{501, StatusCode::Unimplemented, "of transfer encodings only chunked is known"};
    if (head.hasContentType && !encodingOfMediaType(head.contentType))
        return EarlyAnswer{415, StatusCode::InvalidArgument,
                           "of content types only application/x-protobuf and application/json are taken"};
    if (!packingOf(head.contentEncoding))
        return EarlyAnswer{415, StatusCode::InvalidArgument,
                           "of content encodings only gzip and zstd are taken"};
    if (head.contentLength > mostBytes)
        return tooLarge(mostBytes);
    return std::nullopt;
}

} // namespace

std::optional<EarlyAnswer> answerByHead(const HttpHead &head, std::size_t mostBytes)
{
    if (auto foreign = answerToForeigner(head))
        return foreign;
    if (!signalOfPath(head.target))
        return EarlyAnswer{404, StatusCode::Unimplemented,
                           "there is nothing here; post to /v1development/profiles, /v1/traces, /v1/logs or "
                           "/v1/metrics"};
    if (head.isOptions)
        return std::nullopt;
    if (!head.isPost)
        return EarlyAnswer{405, StatusCode::Unimplemented, "only POST is taken"};
    return answerByContent(head, mostBytes);
}

EarlyAnswer tooLarge(std::size_t mostBytes)
{
    return {413, StatusCode::ResourceExhausted,
            "the request is larger than " + std::to_string(mostBytes) + " bytes"};
}

unsigned httpStatus(Outcome::Kind kind)
{
    switch (kind) {
    case Outcome::Kind::Accepted:
        return 200;
    case Outcome::Kind::Damaged:
    case Outcome::Kind::Refused:
        return 400;
    case Outcome::Kind::TooLarge:
        return 413;
    case Outcome::Kind::OverBudget:
        return 503;
    case Outcome::Kind::Failed:
        break;
    }
    return 500;
}

} // namespace hearth
