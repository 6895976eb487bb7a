#include "ingest/live/decode_request.h"

#include "ingest/otlp/decode.h"

namespace hearth {

namespace {

std::uint64_t recordsIn(const Batch &batch)
{
    std::uint64_t records = batch.spans.rows.size() + batch.logs.rows.size() + batch.points.rows.size();
    for (const SampleBlock &block : batch.blocks)
        for (const SampleChunk &chunk : block.chunks)
            records += chunk.rows();
    return records;
}

/// What was left out, in the words of the reports.
std::string reasonsOf(const Losses &losses)
{
    std::string reasons;
    for (std::size_t kind = 0; kind < kLossKinds; ++kind) {
        const auto loss = static_cast<Loss>(kind);
        if (losses.count(loss) > 0)
            reasons += (reasons.empty() ? "" : "; ") + std::to_string(losses.count(loss)) + " × " +
                       std::string(describe(loss).name);
    }
    for (const std::string &detail : losses.details())
        reasons += "; " + detail;
    return reasons;
}

/// One origin for all that a program sends.
std::string originName(const Request &request)
{
    const std::string host = request.peer.substr(0, request.peer.rfind(':'));
    return request.userAgent.empty() ? host : request.userAgent + " at " + host;
}

} // namespace

Result<DecodedRequest> decodeRequest(const Request &request)
{
    if (request.body.empty()) // a request without anything in it is a success
        return DecodedRequest{};
    Result<DecodedOtlp> otlp = decodeOtlp(request.signal, request.encoding, request.body);
    if (!otlp)
        return tl::unexpected(otlp.error());
    DecodedRequest decoded;
    decoded.generation = otlp->batch.origin.generation;
    decoded.accepted = recordsIn(otlp->batch);
    decoded.rejected = otlp->rejected;
    if (otlp->rejected > 0)
        decoded.rejectedBecause = reasonsOf(otlp->batch.losses);
    otlp->batch.origin.name = originName(request);
    decoded.batch = std::move(otlp->batch);
    return decoded;
}

} // namespace hearth
