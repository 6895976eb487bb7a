#include "ingest/otlp/sent_messages.h"

#include "ingest/otlp/envelope.h"
#include "ingest/otlp/json/json_reader.h"
#include "ingest/otlp/signal_of.h"

#include <utility>

namespace hearth::otlp {

namespace {

Result<SentMessage> ofProtobuf(std::optional<Signal> told, Bytes message)
{
    const Signal signal = told.value_or(signalOf(message));
    if (signal == Signal::Profiles) {
        const Result<DetectedGeneration> detected = detectGeneration(message);
        if (!detected)
            return tl::unexpected(detected.error());
        return SentMessage{.signal = signal,
                           .generation = detected->generation,
                           .isGuess = detected->isGuess,
                           .bytes = message};
    }
    const Envelope envelope(message);
    if (!envelope.isOtlp || (envelope.readable == 0 && !message.empty()))
        return failure("not a message of OTLP: no valid field at byte " + std::to_string(envelope.readable));
    return SentMessage{.signal = signal, .bytes = message};
}

Result<std::vector<SentMessage>> ofJson(std::optional<Signal> told, Bytes text, Losses &losses)
{
    auto read = readJson({reinterpret_cast<const char *>(text.data()), text.size()}, losses);
    if (!read)
        return tl::unexpected(read.error());
    std::vector<SentMessage> messages;
    for (WireMessage &message : *read) {
        if (told && message.signal != *told)
            continue;
        auto translation = std::make_shared<const std::string>(std::move(message.bytes));
        const Bytes bytes(reinterpret_cast<const std::uint8_t *>(translation->data()), translation->size());
        messages.push_back({.signal = message.signal,
                            .generation = message.generation,
                            .bytes = bytes,
                            .translation = std::move(translation)});
    }
    if (messages.empty() && !read->empty())
        return failure("the JSON is a message of another signal");
    return messages;
}

} // namespace

Result<std::vector<SentMessage>> sentMessages(std::optional<Signal> told, Encoding encoding, Bytes message,
                                              Losses &losses)
{
    if (encoding == Encoding::Json)
        return ofJson(told, message, losses);
    return ofProtobuf(told, message).map([](const SentMessage &sent) { return std::vector{sent}; });
}

std::string_view nameOf(Signal signal)
{
    switch (signal) {
    case Signal::Profiles:
        return "profiles";
    case Signal::Traces:
        return "traces";
    case Signal::Logs:
        return "logs";
    case Signal::Metrics:
        break;
    }
    return "metrics";
}

std::vector<Finding> findingsOf(const SentMessage &message)
{
    if (message.signal != Signal::Profiles)
        return {};
    Conformance conformance;
    conformance.check(message.bytes, message.generation);
    return conformance.findings();
}

} // namespace hearth::otlp
