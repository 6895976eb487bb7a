#include "ingest/formats/otlp_messages.h"

#include "ingest/bytes/wire.h"
#include "ingest/formats/recognise/kinds.h"
#include "ingest/otlp/encoding.h"
#include "ingest/otlp/envelope.h"
#include "ingest/otlp/signal_of.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hearth {

namespace {

using Bytes = std::span<const std::uint8_t>;

bool isZstd(Bytes bytes)
{
    constexpr std::array<std::uint8_t, 4> kMagic{0x28, 0xb5, 0x2f, 0xfd};
    return bytes.size() > kMagic.size() && std::ranges::equal(bytes.first(kMagic.size()), kMagic);
}

bool beginsWithWholeLine(Bytes window)
{
    const Bytes text = otlp::withoutBlanks(window);
    const Bytes line = otlp::withoutBlanks(Bytes(text.begin(), std::ranges::find(text, '\n')));
    return line.back() == '}';
}

} // namespace

std::optional<Signal> OtlpMessage::signal() const
{
    if (encoding == Encoding::Protobuf) {
        const bool isOtlp = contains(byMessages(bytes, true).name, "OTLP");
        return isOtlp ? std::optional(otlp::signalOf(bytes)) : std::nullopt;
    }
    const std::string_view name = byJson(text()).name;
    if (!contains(name, "OTLP"))
        return std::nullopt;
    return contains(name, "traces")    ? Signal::Traces
           : contains(name, "logs")    ? Signal::Logs
           : contains(name, "metrics") ? Signal::Metrics
                                       : Signal::Profiles;
}

OtlpMessages::OtlpMessages(InputStream &input, const ReadOptions &options, Losses &losses)
    : m_input(input), m_options(options), m_losses(losses)
{}

OtlpMessages::~OtlpMessages() = default;

std::optional<OtlpMessage> OtlpMessages::next()
{
    m_input.consume(std::exchange(m_consumed, 0));
    if (m_framing == Framing::Unknown)
        m_framing = findFraming();
    std::optional<OtlpMessage> found;
    while (!found && !m_isAtEnd && mayGoOn())
        found = m_framing == Framing::None    ? theOnlyOne()
                : m_framing == Framing::Lines ? nextLine()
                                              : nextFrame();
    if (m_isAtEnd && !found)
        if (const auto fault = m_input.fault())
            m_losses.add(fault->loss, fault->message);
    return found;
}

/// A message never begins with a zero, and its first length leads to the next.
OtlpMessages::Framing OtlpMessages::findFraming()
{
    if (!m_input.ensure(1))
        return Framing::None;
    if (m_input.window()[0] == 0)
        return Framing::BigEndian;
    constexpr std::size_t kHead = std::size_t(1) << 20;
    m_input.ensure(kHead);
    const Bytes window = m_input.window();
    if (otlp::encodingOf(window) == Encoding::Json)
        return beginsWithWholeLine(window) ? Framing::Lines : Framing::None;
    const otlp::Envelope message(window);
    if (message.isOtlp && (window.size() >= kHead || message.readable == window.size()))
        return Framing::None;
    const std::uint8_t *at = window.data();
    const std::uint8_t *const end = at + window.size();
    std::uint64_t length = 0;
    const bool isFrame = readVarint(at, end, length) == WireOutcome::Ok &&
                         length <= static_cast<std::uint64_t>(end - at) &&
                         otlp::Envelope({at, static_cast<std::size_t>(length)}).isOtlp;
    return isFrame ? Framing::Varint : Framing::None;
}

bool OtlpMessages::mayGoOn() const
{
    if (m_options.progress)
        m_options.progress(m_input.position());
    return !m_options.stop.stop_requested();
}

std::string OtlpMessages::place() const
{
    return "the message at byte " + std::to_string(m_input.position());
}

OtlpMessage OtlpMessages::message(Bytes bytes, bool isCut) const
{
    const Encoding encoding = otlp::encodingOf(bytes);
    return {.bytes = encoding == Encoding::Json ? otlp::withoutBlanks(bytes) : bytes,
            .position = m_input.position(),
            .encoding = encoding,
            .isCut = isCut};
}

std::optional<OtlpMessage> OtlpMessages::theOnlyOne()
{
    while (m_input.window().size() <= m_options.memoryBudget && mayGoOn() && m_input.extend()) {
    }
    m_isAtEnd = true;
    const Bytes window = m_input.window();
    m_consumed = window.size();
    if (window.size() <= m_options.memoryBudget)
        return window.empty() ? std::nullopt : std::optional(message(window, m_input.fault().has_value()));
    return tooLarge();
}

std::optional<OtlpMessage> OtlpMessages::tooLarge()
{
    m_losses.add(Loss::OversizedFields, place() + " is larger than the memory budget of " +
                                            std::to_string(m_options.memoryBudget >> 20) + " MiB");
    m_isAtEnd = true;
    return std::nullopt;
}

/// @return nothing at the end of the input
std::optional<std::uint64_t> OtlpMessages::readLength()
{
    constexpr std::size_t kLongestVarint = 10;
    m_input.ensure(kLongestVarint);
    const Bytes window = m_input.window();
    if (window.empty())
        return std::nullopt;
    const std::uint8_t *at = window.data();
    std::uint64_t length = 0;
    bool isWhole = true;
    if (m_framing == Framing::Varint) {
        isWhole = readVarint(at, at + window.size(), length) == WireOutcome::Ok;
    } else {
        isWhole = window.size() >= 4;
        for (std::size_t i = 0; isWhole && i < 4; ++i)
            length = length << 8 | *at++;
    }
    if (!isWhole) {
        m_losses.add(Loss::TruncatedInput, "the file ends within the length of a message, at byte " +
                                               std::to_string(m_input.position()));
        return std::nullopt;
    }
    m_input.consume(static_cast<std::size_t>(at - window.data()));
    return length;
}

std::optional<OtlpMessage> OtlpMessages::nextFrame()
{
    const std::optional<std::uint64_t> length = readLength();
    if (length && *length <= m_options.memoryBudget && m_input.ensure(static_cast<std::size_t>(*length))) {
        const Bytes frame = m_input.window().first(static_cast<std::size_t>(*length));
        m_consumed = frame.size();
        return isZstd(frame) ? unpackedMessage(frame) : message(frame, false);
    }
    if (length)
        m_losses.add(Loss::TruncatedInput, place() + " has " + std::to_string(m_input.window().size()) +
                                               " of " + std::to_string(*length) + " bytes");
    m_isAtEnd = true;
    return std::nullopt;
}

std::optional<OtlpMessage> OtlpMessages::unpackedMessage(Bytes packed)
{
    m_unpacked = std::make_unique<InputStream>(unpacked(memorySource(packed)));
    while (m_unpacked->window().size() <= m_options.memoryBudget && m_unpacked->extend()) {
    }
    const auto fault = m_unpacked->fault();
    if (fault)
        m_losses.add(fault->loss, place() + ": " + fault->message);
    if (m_unpacked->window().size() <= m_options.memoryBudget)
        return message(m_unpacked->window(), fault.has_value());
    m_losses.add(Loss::OversizedFields, place() + " unpacks to more than the memory budget");
    m_input.consume(std::exchange(m_consumed, 0));
    return std::nullopt;
}

std::optional<OtlpMessage> OtlpMessages::nextLine()
{
    std::size_t searched = 0;
    while (true) {
        const Bytes rest = m_input.window();
        const auto end = std::find(rest.begin() + static_cast<std::ptrdiff_t>(searched), rest.end(), '\n');
        searched = static_cast<std::size_t>(end - rest.begin());
        if (end == rest.end() && rest.size() <= m_options.memoryBudget && m_input.extend())
            continue;
        m_isAtEnd = end == rest.end();
        if (m_isAtEnd && rest.size() > m_options.memoryBudget)
            return tooLarge();
        const Bytes line = rest.first(searched);
        m_consumed = searched + (m_isAtEnd ? 0 : 1);
        if (!otlp::withoutBlanks(line).empty())
            return message(line, m_isAtEnd);
        if (m_isAtEnd)
            return std::nullopt;
        m_input.consume(std::exchange(m_consumed, 0));
        searched = 0;
    }
}

} // namespace hearth
