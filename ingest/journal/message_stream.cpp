#include "ingest/journal/message_stream.h"

#include "ingest/formats/recognise/kinds.h"
#include "ingest/otlp/signal_of.h"

#include <algorithm>
#include <array>

namespace hearth {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kPrefix = 4;
constexpr std::size_t kMostUnpacked = std::size_t(1) << 30;

bool isBlank(std::uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

Bytes withoutBlanks(Bytes bytes)
{
    while (!bytes.empty() && isBlank(bytes.front()))
        bytes = bytes.subspan(1);
    while (!bytes.empty() && isBlank(bytes.back()))
        bytes = bytes.first(bytes.size() - 1);
    return bytes;
}

bool isZstd(Bytes bytes)
{
    constexpr std::array<std::uint8_t, 4> kMagic{0x28, 0xb5, 0x2f, 0xfd};
    return bytes.size() >= kMagic.size() && std::ranges::equal(bytes.first(kMagic.size()), kMagic);
}

} // namespace

std::optional<Signal> signalOfMessage(Bytes message)
{
    if (encodingOfMessage(message) == Encoding::Protobuf) {
        const bool isOtlp = contains(nameByMessages(message, true), "OTLP");
        return isOtlp ? std::optional(otlp::signalOf(message)) : std::nullopt;
    }
    const std::string_view name = nameByJson(textOf(message));
    if (!contains(name, "OTLP"))
        return std::nullopt;
    return contains(name, "traces")    ? Signal::Traces
           : contains(name, "logs")    ? Signal::Logs
           : contains(name, "metrics") ? Signal::Metrics
                                       : Signal::Profiles;
}

Encoding encodingOfMessage(Bytes message)
{
    const Bytes text = withoutBlanks(message);
    return !text.empty() && text.front() == '{' ? Encoding::Json : Encoding::Protobuf;
}

MessageStream::MessageStream(std::unique_ptr<ByteSource> source) : m_input(unpacked(std::move(source))) {}

bool MessageStream::next(StoredMessage &message)
{
    m_input.consume(std::exchange(m_consumed, 0));
    if (m_form == Form::Unknown)
        m_form = form();
    const bool isThere = m_form == Form::Prefixed ? nextPrefixed()
                         : m_form == Form::Lines  ? nextLine()
                                                  : nextSingle();
    if (!isThere) {
        if (const auto fault = m_input.fault(); fault && m_problem.empty())
            m_problem = fault->message;
        return false;
    }
    const auto signal = signalOfMessage(m_message);
    if (!signal && !m_message.empty()) {
        m_problem = "what is there at byte " + std::to_string(m_input.position()) + " is no OTLP";
        return false;
    }
    message = {m_message, signal.value_or(Signal::Profiles), encodingOfMessage(m_message)};
    return true;
}

/// A message never begins with a zero, which lengths below 16 MiB do.
MessageStream::Form MessageStream::form()
{
    m_input.ensure(1);
    const Bytes window = m_input.window();
    if (!window.empty() && window.front() == 0)
        return Form::Prefixed;
    if (encodingOfMessage(window) == Encoding::Json)
        return Form::Lines;
    return Form::Single;
}

bool MessageStream::nextPrefixed()
{
    if (!m_input.ensure(1))
        return false;
    std::size_t size = 0;
    const bool hasPrefix = m_input.ensure(kPrefix);
    for (std::size_t i = 0; hasPrefix && i < kPrefix; ++i)
        size = size << 8 | m_input.window()[i];
    if (!hasPrefix || !m_input.ensure(kPrefix + size)) {
        m_problem =
            "the file ends in the middle of the message at byte " + std::to_string(m_input.position());
        return false;
    }
    m_message = m_input.window().subspan(kPrefix, size);
    m_consumed = kPrefix + size;
    return !isZstd(m_message) || unpackMessage(m_message);
}

bool MessageStream::unpackMessage(Bytes packed)
{
    const auto source = unpacked(memorySource(packed));
    m_unpacked.clear();
    std::size_t count = 0;
    std::size_t asked = 0;
    do {
        asked = std::max<std::size_t>(packed.size(), m_unpacked.size());
        const std::size_t begin = m_unpacked.size();
        m_unpacked.resize(begin + asked);
        count = source->read(std::span(m_unpacked).subspan(begin));
        m_unpacked.resize(begin + count);
    } while (count == asked && m_unpacked.size() <= kMostUnpacked);
    if (const auto fault = source->fault())
        m_problem = fault->message;
    else if (count == asked)
        m_problem = "the message at byte " + std::to_string(m_input.position()) + " is too large";
    m_message = m_unpacked;
    return m_problem.empty();
}

/// Lines, unless the first is not a whole object: then the file is one, over several lines.
bool MessageStream::nextLine()
{
    std::size_t searched = 0;
    while (true) {
        const Bytes window = m_input.window();
        const auto end =
            std::find(window.begin() + static_cast<std::ptrdiff_t>(searched), window.end(), '\n');
        searched = static_cast<std::size_t>(end - window.begin());
        if (end == window.end() && m_input.extend())
            continue;
        const bool isLast = end == window.end();
        const Bytes line = withoutBlanks(window.first(searched));
        if (!line.empty() && (line.front() != '{' || line.back() != '}'))
            return nextSingle();
        m_consumed = searched + (isLast ? 0 : 1);
        if (!line.empty()) {
            m_message = line;
            return true;
        }
        if (isLast)
            return false;
        m_input.consume(std::exchange(m_consumed, 0));
        searched = 0;
    }
}

bool MessageStream::nextSingle()
{
    m_form = Form::Single;
    while (m_input.extend()) {
    }
    m_message = m_input.window();
    m_consumed = m_message.size();
    return !m_message.empty();
}

} // namespace hearth
