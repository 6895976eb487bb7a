#include "ingest/server/reception.h"

#include "ingest/otlp/encoding.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace hearth {

namespace {

unsigned decodingThreads(const Limits &limits)
{
    return limits.threads > 0 ? limits.threads : std::max(2U, std::thread::hardware_concurrency());
}

Outcome tooLarge(const Limits &limits)
{
    return {Outcome::Kind::TooLarge,
            Reply::refused("the request is larger than " + std::to_string(limits.requestBytes) +
                           " bytes without compression")};
}

Outcome overBudget()
{
    return {Outcome::Kind::OverBudget,
            Reply::overBudget("too much is being received at once", std::chrono::seconds(1))};
}

Outcome handled(Reception &reception, const Request &request)
{
    Reply reply = reception.handler(request);
    switch (reply.verdict) {
    case Reply::Verdict::Accepted:
        return {Outcome::Kind::Accepted, std::move(reply), true};
    case Reply::Verdict::Refused:
        return {Outcome::Kind::Refused, std::move(reply), true};
    case Reply::Verdict::OverBudget:
        break;
    }
    return {Outcome::Kind::OverBudget, std::move(reply), true};
}

Outcome unpackedAndHandled(Reception &reception, Request &request, Packing packing,
                           std::optional<Encoding> encoding)
{
    Body unpacked(reception.limits.requestBytes, reception.budget);
    std::string problem;
    const UnpackVerdict verdict =
        packing == Packing::None ? UnpackVerdict::Ok : unpackBody(request.body, packing, unpacked, problem);
    if (verdict == UnpackVerdict::OverLimit)
        return tooLarge(reception.limits);
    if (verdict == UnpackVerdict::OverBudget)
        return overBudget();
    if (verdict == UnpackVerdict::Damaged)
        return {Outcome::Kind::Damaged, Reply::refused(problem)};
    if (packing != Packing::None)
        request.body = unpacked.bytes();
    request.encoding = encoding.value_or(otlp::encodingOf(request.body));
    return handled(reception, request);
}

} // namespace

Reception::Reception(const Limits &limits_, Handler handler_, RefusalObserver refused_)
    : limits(limits_), handler(std::move(handler_)), refused(std::move(refused_)),
      budget(limits.receivingBytes), pool(decodingThreads(limits))
{}

StatusCode statusCode(Outcome::Kind kind)
{
    switch (kind) {
    case Outcome::Kind::Accepted:
        return StatusCode::Ok;
    case Outcome::Kind::Damaged:
    case Outcome::Kind::Refused:
        return StatusCode::InvalidArgument;
    case Outcome::Kind::TooLarge:
        return StatusCode::ResourceExhausted;
    case Outcome::Kind::OverBudget:
        return StatusCode::Unavailable;
    case Outcome::Kind::Failed:
        break;
    }
    return StatusCode::Internal;
}

Outcome receive(Reception &reception, Request request, Packing packing, std::optional<Encoding> encoding)
{
    Outcome outcome;
    try {
        outcome = unpackedAndHandled(reception, request, packing, encoding);
    } catch (const std::exception &error) { // out of memory, above all; the sender keeps what it has
        outcome = {Outcome::Kind::Failed, Reply::refused(std::string("it failed here: ") + error.what())};
    }
    if (!outcome.isHandlers)
        reception.refuse(request.transport, request.peer, request.userAgent, outcome.reply.message);
    return outcome;
}

} // namespace hearth
