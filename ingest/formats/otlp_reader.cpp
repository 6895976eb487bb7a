#include "ingest/bytes/wire.h"
#include "ingest/formats/format.h"
#include "ingest/otlp/conformance.h"
#include "ingest/otlp/decode.h"
#include "ingest/otlp/envelope.h"
#include "ingest/otlp/generation.h"
#include "ingest/otlp/json/json_reader.h"
#include "ingest/otlp/signal_of.h"

#include <algorithm>
#include <array>
#include <vector>

namespace hearth {

namespace {

using Bytes = std::span<const std::uint8_t>;

/// JSON without what may surround it; empty if there is nothing but blanks.
std::string_view textOf(Bytes message)
{
    std::string_view text(reinterpret_cast<const char *>(message.data()), message.size());
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

std::string_view firstLine(Bytes message)
{
    const std::string_view text = textOf(message);
    const std::string_view line = text.substr(0, text.find('\n'));
    return line.substr(0, line.find_last_not_of('\r') + 1);
}

/// Messages are length-prefixed by the Collector's file exporter (four bytes, the highest first) and by
/// writeDelimitedTo() (a varint); a file may also be one message. In JSON, there is one a line, or one
/// that is laid out over several lines. Each message tells which signal it has.
class OtlpReader {
public:
    OtlpReader(InputStream &input, const ReadOptions &options) : m_input(input), m_options(options) {}

    Result<Batch> read();

private:
    enum class Framing : std::uint8_t { None, BigEndian, Varint, Lines };

    Framing findFraming();
    void readFrames(Framing framing);
    void readWhole();
    void readLines();
    bool readLength(Framing framing, std::uint64_t &length);
    bool mayGoOn();
    /// @param loss what it is if the message cannot be read
    void take(Bytes message, Loss loss = Loss::MalformedRecords);
    void takePacked(Bytes message);
    void check(Bytes message);
    bool isJson(Bytes message) const;

    InputStream &m_input;
    const ReadOptions &m_options;
    Batch m_batch;
    otlp::Conformance m_conformance;
    std::uint64_t m_messages = 0;
    std::uint64_t m_guesses = 0;
    std::string m_firstError; ///< of a message that could not be read at all
    std::string m_refusal;
};

Result<Batch> OtlpReader::read()
{
    m_batch.origin.format = kOtlp.name;
    m_batch.origin.name = m_options.name;
    const Framing framing = findFraming();
    if (framing == Framing::None)
        readWhole();
    else if (framing == Framing::Lines)
        readLines();
    else
        readFrames(framing);
    if (!m_refusal.empty())
        return failure(m_options.name + ": " + m_refusal);
    if (const auto fault = m_input.fault())
        m_batch.losses.add(fault->loss, fault->message);
    if (m_messages == 0)
        return failure(m_options.name + ": " +
                       (m_firstError.empty() ? "no message of OTLP in it" : m_firstError));
    m_batch.origin.findings = m_conformance.findings();
    if (m_guesses > 0)
        m_batch.origin.findings.push_back(
            std::to_string(m_guesses) + " × messages that fit several generations; the likeliest was taken");
    return std::move(m_batch);
}

/// A message never begins with a zero, and its first length leads to the next.
OtlpReader::Framing OtlpReader::findFraming()
{
    if (!m_input.ensure(1))
        return Framing::None;
    if (m_input.window()[0] == 0)
        return Framing::BigEndian;
    constexpr std::size_t kHead = std::size_t(1) << 20;
    while (m_input.window().size() < kHead && m_input.extend()) {
    }
    const Bytes window = m_input.window();
    if (isJson(window)) {
        const std::string_view line = firstLine(window);
        return line.ends_with('}') ? Framing::Lines : Framing::None;
    }
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

bool OtlpReader::isJson(Bytes message) const
{
    return textOf(message).starts_with('{');
}

bool OtlpReader::mayGoOn()
{
    if (m_options.stop.stop_requested())
        m_refusal = "cancelled";
    if (m_options.progress)
        m_options.progress(m_input.position());
    return m_refusal.empty();
}

void OtlpReader::readWhole()
{
    while (m_input.window().size() <= m_options.memoryBudget && mayGoOn() && m_input.extend()) {
    }
    if (m_input.window().size() > m_options.memoryBudget)
        m_refusal = "the message is larger than the memory budget of " +
                    std::to_string(m_options.memoryBudget >> 20) + " MiB";
    else if (m_refusal.empty())
        take(m_input.window());
}

/// @return false at the end of the input
bool OtlpReader::readLength(Framing framing, std::uint64_t &length)
{
    constexpr std::size_t kLongestVarint = 10;
    m_input.ensure(kLongestVarint);
    const Bytes window = m_input.window();
    if (window.empty())
        return false;
    const std::uint8_t *at = window.data();
    const std::uint8_t *const end = at + window.size();
    bool isWhole = true;
    if (framing == Framing::Varint) {
        isWhole = readVarint(at, end, length) == WireOutcome::Ok;
    } else {
        isWhole = window.size() >= 4;
        length = 0;
        for (std::size_t i = 0; isWhole && i < 4; ++i)
            length = length << 8 | *at++;
    }
    if (!isWhole)
        m_batch.losses.add(Loss::TruncatedInput, "the file ends within the length of a message, at byte " +
                                                     std::to_string(m_input.position()));
    m_input.consume(static_cast<std::size_t>(at - window.data()));
    return isWhole;
}

void OtlpReader::readFrames(Framing framing)
{
    std::uint64_t length = 0;
    while (mayGoOn() && readLength(framing, length)) {
        if (length > m_options.memoryBudget || !m_input.ensure(static_cast<std::size_t>(length))) {
            m_batch.losses.add(Loss::TruncatedInput, "the message at byte " +
                                                         std::to_string(m_input.position()) + " has " +
                                                         std::to_string(m_input.window().size()) + " of " +
                                                         std::to_string(length) + " bytes");
            return;
        }
        const Bytes message = m_input.window().first(static_cast<std::size_t>(length));
        constexpr std::array<std::uint8_t, 4> kZstd{0x28, 0xb5, 0x2f, 0xfd};
        const bool isPacked = message.size() > kZstd.size() && std::ranges::equal(message.first(4), kZstd);
        isPacked ? takePacked(message) : take(message);
        m_input.consume(message.size());
    }
}

void OtlpReader::readLines()
{
    std::size_t searched = 0;
    while (mayGoOn()) {
        const std::string_view rest(reinterpret_cast<const char *>(m_input.window().data()),
                                    m_input.window().size());
        const std::size_t end = rest.find('\n', searched);
        if (end == std::string_view::npos && rest.size() <= m_options.memoryBudget) {
            searched = rest.size();
            if (m_input.extend())
                continue;
        }
        const std::size_t length = std::min(end, rest.size());
        const bool isLast = end == std::string_view::npos;
        take(m_input.window().first(length), isLast ? Loss::TruncatedInput : Loss::MalformedRecords);
        if (isLast)
            return;
        m_input.consume(length + 1);
        searched = 0;
    }
}

void OtlpReader::takePacked(Bytes message)
{
    InputStream unpackedMessage(unpacked(memorySource(message)));
    while (unpackedMessage.window().size() <= m_options.memoryBudget && unpackedMessage.extend()) {
    }
    if (const auto fault = unpackedMessage.fault())
        m_batch.losses.add(fault->loss, fault->message);
    take(unpackedMessage.window());
}

void OtlpReader::check(Bytes message)
{
    if (isJson(message)) {
        Losses losses; // counted already
        if (const auto messages = otlp::readJson(textOf(message), losses))
            for (const otlp::WireMessage &part : *messages)
                if (part.signal == Signal::Profiles)
                    m_conformance.check(
                        {reinterpret_cast<const std::uint8_t *>(part.bytes.data()), part.bytes.size()},
                        part.generation);
    } else if (otlp::signalOf(message) == Signal::Profiles) {
        if (const auto detected = otlp::detectGeneration(message))
            m_conformance.check(message, detected->generation);
    }
}

void OtlpReader::take(Bytes message, Loss loss)
{
    const std::string_view text = textOf(message);
    if (text.empty())
        return;
    const auto added =
        isJson(message) ? addOtlp(std::nullopt, Encoding::Json,
                                  {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()}, m_batch)
                        : addOtlp(std::nullopt, Encoding::Protobuf, message, m_batch);
    if (added) {
        ++m_messages;
        m_guesses += added->isGuess;
        if (m_options.wantsFindings)
            check(message);
        return;
    }
    if (m_firstError.empty())
        m_firstError = added.error().message;
    m_batch.losses.add(loss, "the message at byte " + std::to_string(m_input.position()) + ": " +
                                 added.error().message);
}

Result<Batch> readOtlp(InputStream &input, const ReadOptions &options)
{
    return OtlpReader(input, options).read();
}

} // namespace

const Format kOtlp{.name = "otlp", .read = readOtlp};

} // namespace hearth
