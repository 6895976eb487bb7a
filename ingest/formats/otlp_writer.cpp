#include "ingest/formats/otlp_writer.h"

#include "ingest/otlp/encode/profiles.h"
#include "ingest/otlp/encode/records.h"
#include "ingest/otlp/json/json_writer.h"

#include <limits>

namespace hearth {

namespace {

std::vector<otlp::WireMessage> messagesOf(const Snapshot &snapshot)
{
    std::vector<otlp::WireMessage> messages;
    const auto add = [&](Signal signal, std::string bytes) {
        if (!bytes.empty())
            messages.push_back(
                {.signal = signal, .generation = otlp::Generation::V1_10, .bytes = std::move(bytes)});
    };
    add(Signal::Profiles, otlp::profilesOf(snapshot));
    add(Signal::Traces, otlp::tracesOf(snapshot));
    add(Signal::Logs, otlp::logsOf(snapshot));
    add(Signal::Metrics, otlp::metricsOf(snapshot));
    return messages;
}

Result<std::string> framed(const std::vector<otlp::WireMessage> &messages)
{
    std::string file;
    for (const otlp::WireMessage &message : messages) {
        if (message.bytes.size() > std::numeric_limits<std::uint32_t>::max())
            return failure("a message is too long for a length of 32 bits; write JSON, or one signal");
        for (int shift = 24; shift >= 0; shift -= 8)
            file += static_cast<char>(message.bytes.size() >> shift & 255);
        file += message.bytes;
    }
    return file;
}

} // namespace

Result<std::string> otlpFile(const Snapshot &snapshot, OtlpForm form)
{
    std::vector<otlp::WireMessage> messages = messagesOf(snapshot);
    if (messages.empty())
        return failure("there is nothing to write: neither samples nor spans, log records or metrics");
    std::string lines;
    switch (form) {
    case OtlpForm::Message:
        if (messages.size() == 1)
            return std::move(messages.front().bytes);
        break;
    case OtlpForm::Framed:
        break;
    case OtlpForm::Json:
        return otlp::jsonOf(messages) + '\n';
    case OtlpForm::JsonLines:
        for (const otlp::WireMessage &message : messages)
            lines += otlp::jsonOf({&message, 1}) + '\n';
        return lines;
    }
    return framed(messages);
}

} // namespace hearth
