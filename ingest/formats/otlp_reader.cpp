#include "ingest/bytes/wire.h"
#include "ingest/formats/format.h"
#include "ingest/otlp/generation.h"
#include "ingest/otlp/profiles.h"

#include <algorithm>
#include <array>
#include <vector>

namespace hearth {

namespace {

using Bytes = std::span<const std::uint8_t>;

/// Messages are length-prefixed by the Collector's file exporter (four bytes, the highest first) and by
/// writeDelimitedTo() (a varint); a file may also be one message.
class OtlpReader {
public:
    OtlpReader(InputStream &input, const ReadOptions &options) : m_input(input), m_options(options) {}

    Result<Batch> read();

private:
    enum class Framing : std::uint8_t { None, BigEndian, Varint };

    Framing findFraming();
    void readFrames(Framing framing);
    void readWhole();
    bool readLength(Framing framing, std::uint64_t &length);
    bool mayGoOn();
    void take(Bytes message);
    void takePacked(Bytes message);

    InputStream &m_input;
    const ReadOptions &m_options;
    Batch m_batch;
    std::uint64_t m_messages = 0;
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
    else
        readFrames(framing);
    if (!m_refusal.empty())
        return failure(m_options.name + ": " + m_refusal);
    if (const auto fault = m_input.fault())
        m_batch.losses.add(fault->loss, fault->message);
    if (m_messages == 0)
        return failure(m_options.name + ": " +
                       (m_firstError.empty() ? "no message of OTLP profiles in it" : m_firstError));
    return std::move(m_batch);
}

/// A message never begins with a zero, and its first length leads to the next.
OtlpReader::Framing OtlpReader::findFraming()
{
    if (!m_input.ensure(1))
        return Framing::None;
    if (m_input.window()[0] == 0)
        return Framing::BigEndian;
    while (m_input.window().size() < (std::size_t(1) << 20) && m_input.extend()) {
    }
    const Bytes window = m_input.window();
    if (otlp::detectGeneration(window))
        return Framing::None;
    const std::uint8_t *at = window.data();
    const std::uint8_t *const end = at + window.size();
    std::uint64_t length = 0;
    const bool isFrame = readVarint(at, end, length) == WireOutcome::Ok &&
                         length <= static_cast<std::uint64_t>(end - at) &&
                         otlp::detectGeneration({at, static_cast<std::size_t>(length)});
    return isFrame ? Framing::Varint : Framing::None;
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

void OtlpReader::takePacked(Bytes message)
{
    InputStream unpackedMessage(unpacked(memorySource(message)));
    while (unpackedMessage.window().size() <= m_options.memoryBudget && unpackedMessage.extend()) {
    }
    if (const auto fault = unpackedMessage.fault())
        m_batch.losses.add(fault->loss, fault->message);
    take(unpackedMessage.window());
}

void OtlpReader::take(Bytes message)
{
    if (message.empty())
        return;
    const auto detected = otlp::detectGeneration(message);
    if (!detected) {
        if (m_firstError.empty())
            m_firstError = detected.error().message;
        m_batch.losses.add(Loss::MalformedRecords, "the message at byte " +
                                                       std::to_string(m_input.position()) + ": " +
                                                       detected.error().message);
        return;
    }
    ++m_messages;
    otlp::decodeProfiles(message, detected->generation, m_batch);
}

Result<Batch> readOtlp(InputStream &input, const ReadOptions &options)
{
    return OtlpReader(input, options).read();
}

} // namespace

const Format kOtlp{.name = "otlp", .read = readOtlp};

} // namespace hearth
