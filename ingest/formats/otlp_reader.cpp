#include "ingest/formats/format.h"
#include "ingest/formats/otlp_messages.h"
#include "ingest/otlp/conformance.h"
#include "ingest/otlp/decode.h"
#include "ingest/otlp/generation.h"
#include "ingest/otlp/json/json_reader.h"
#include "ingest/otlp/signal_of.h"

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

/// Makes batches of the messages of a file. Each message has a dictionary of its own.
class OtlpReader {
public:
    OtlpReader(InputStream &input, const ReadOptions &options)
        : m_options(options), m_messages(input, options, m_losses), m_batch(newBatch())
    {}

    Result<Batch> read();

private:
    void take(const OtlpMessage &message);
    void check(const OtlpMessage &message);
    bool handOver(const OtlpMessage &message);
    Batch newBatch() const;

    const ReadOptions &m_options;
    Losses m_losses;
    OtlpMessages m_messages;
    Batch m_batch;
    std::size_t m_bytesInBatch = 0; ///< of messages
    otlp::Conformance m_conformance;
    std::uint64_t m_taken = 0;
    std::uint64_t m_guesses = 0;
};

Result<Batch> OtlpReader::read()
{
    while (const auto message = m_messages.next()) {
        take(*message);
        if (!handOver(*message))
            break;
    }
    if (m_options.stop.stop_requested() && !m_options.keepsCancelled)
        return failure(m_options.name + ": cancelled");
    if (m_options.stop.stop_requested())
        m_losses.add(Loss::CancelledReading,
                     "reading was cancelled behind " + std::to_string(m_taken) + " messages");
    if (m_taken == 0)
        return failure(m_options.name + ": " +
                       (m_losses.any() ? m_losses.details().front() : "no message of OTLP in it"));
    m_batch.losses.add(m_losses);
    for (const otlp::Finding &finding : m_conformance.findings())
        m_batch.origin.findings.push_back(otlp::lineOf(finding));
    if (m_guesses > 0)
        m_batch.origin.findings.push_back(
            std::to_string(m_guesses) + " × messages that fit several generations; the likeliest was taken");
    return std::move(m_batch);
}

void OtlpReader::take(const OtlpMessage &message)
{
    const auto added = addOtlp(std::nullopt, message.encoding, message.bytes, m_batch);
    if (!added) {
        m_losses.add(message.isCut ? Loss::TruncatedInput : Loss::MalformedRecords,
                     "the message at byte " + std::to_string(message.position) + ": " +
                         added.error().message);
        return;
    }
    ++m_taken;
    m_guesses += added->isGuess;
    if (m_options.wantsFindings)
        check(message);
}

/// @return false if there is no memory for more
bool OtlpReader::handOver(const OtlpMessage &message)
{
    m_bytesInBatch += message.bytes.size();
    const bool isMuch = m_bytesInBatch >= std::min(m_options.partBytes / 2, m_options.memoryBudget);
    if (!m_options.takePart || (!isMuch && !(m_options.isLookDue && m_options.isLookDue())))
        return true;
    m_bytesInBatch = 0;
    Batch next = newBatch();
    next.origin = m_batch.origin;
    if (m_options.takePart(std::exchange(m_batch, std::move(next))) > 0)
        return true;
    m_losses.add(Loss::SamplesOverBudget, "memory budget reached at byte " +
                                              std::to_string(message.position + message.bytes.size()) +
                                              "; the rest was not read");
    return false;
}

Batch OtlpReader::newBatch() const
{
    Batch batch;
    batch.origin.format = kOtlp.name;
    batch.origin.name = m_options.name;
    return batch;
}

void OtlpReader::check(const OtlpMessage &message)
{
    if (message.encoding == Encoding::Json) {
        Losses losses; // counted already
        if (const auto messages = otlp::readJson(message.text(), losses))
            for (const otlp::WireMessage &part : *messages)
                if (part.signal == Signal::Profiles)
                    m_conformance.check(
                        {reinterpret_cast<const std::uint8_t *>(part.bytes.data()), part.bytes.size()},
                        part.generation);
    } else if (otlp::signalOf(message.bytes) == Signal::Profiles) {
        if (const auto detected = otlp::detectGeneration(message.bytes))
            m_conformance.check(message.bytes, detected->generation);
    }
}

Result<Batch> readOtlp(InputStream &input, const ReadOptions &options)
{
    return OtlpReader(input, options).read();
}

} // namespace

const Format kOtlp{.name = "otlp", .read = readOtlp};

} // namespace hearth
