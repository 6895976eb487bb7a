#pragma once

#include "ingest/formats/format.h"
#include "ingest/otlp/signal.h"
#include "model/store/losses.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace hearth {

/// One request as it was sent, or one line of a file.
struct OtlpMessage {
    std::span<const std::uint8_t> bytes; ///< unpacked; valid until the next one is read
    std::uint64_t position = 0;          ///< of it in the file
    Encoding encoding = Encoding::Protobuf;
    bool isCut = false; ///< it may go on where the file does not

    std::string_view text() const { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }

    /// Told from the bytes, as nothing else does. @return nothing if it is no OTLP
    std::optional<Signal> signal() const;
};

/// The messages of an OTLP file, one after the other, without decoding them.
///
/// Messages are length-prefixed by the Collector's file exporter and by Hearth (four bytes, the highest
/// first; each message perhaps packed by itself) and by writeDelimitedTo() (a varint); a file may also be one
/// message. In JSON, there is one a line, or one that is laid out over several lines.
class OtlpMessages {
public:
    /// @param losses get what cannot be read, and where. A message may be as large as the memory budget.
    OtlpMessages(InputStream &input, const ReadOptions &options, Losses &losses);
    OtlpMessages(InputStream &&, const ReadOptions &, Losses &) = delete;
    ~OtlpMessages();

    /// @return nothing at the end, where the file is torn, or when the options ask to stop
    std::optional<OtlpMessage> next();

private:
    enum class Framing : std::uint8_t { Unknown, None, BigEndian, Varint, Lines };

    Framing findFraming();
    std::optional<OtlpMessage> nextFrame();
    std::optional<OtlpMessage> nextLine();
    std::optional<OtlpMessage> theOnlyOne();
    std::optional<OtlpMessage> unpackedMessage(std::span<const std::uint8_t> packed);
    std::optional<OtlpMessage> tooLarge();
    std::optional<std::uint64_t> readLength();
    std::string place() const;
    bool mayGoOn() const;
    OtlpMessage message(std::span<const std::uint8_t> bytes, bool isCut) const;

    InputStream &m_input;
    const ReadOptions &m_options;
    Losses &m_losses;
    Framing m_framing = Framing::Unknown;
    std::size_t m_consumed = 0; ///< of the window, by the message that was read last
    std::unique_ptr<InputStream> m_unpacked;
    bool m_isAtEnd = false;
};

} // namespace hearth
