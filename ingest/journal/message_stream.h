#pragma once

#include "ingest/bytes/byte_source.h"
#include "ingest/bytes/input_stream.h"
#include "ingest/otlp/signal.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hearth {

/// One request as it was sent, or one line of a file.
struct StoredMessage {
    std::span<const std::uint8_t> bytes; ///< valid until the next one is read
    Signal signal = Signal::Profiles;
    Encoding encoding = Encoding::Protobuf;
};

/// The messages of an OTLP file, one after the other, without decoding them. It may be length-prefixed (each
/// message perhaps packed by itself), JSON by lines, or a single message; and compressed as a whole.
class MessageStream {
public:
    explicit MessageStream(std::unique_ptr<ByteSource> source);

    /// @return false at the end, or where the file is torn or is no OTLP; problem() tells
    bool next(StoredMessage &message);

    /// Why the end came early; empty if it did not.
    const std::string &problem() const { return m_problem; }

private:
    enum class Form : std::uint8_t { Unknown, Prefixed, Lines, Single };

    Form form();
    bool nextPrefixed();
    bool nextLine();
    bool nextSingle();
    bool unpackMessage(std::span<const std::uint8_t> packed);

    InputStream m_input;
    Form m_form = Form::Unknown;
    std::size_t m_consumed = 0; ///< of the window, by the message that was read last
    std::span<const std::uint8_t> m_message;
    std::vector<std::uint8_t> m_unpacked;
    std::string m_problem;
};

/// Told from the bytes, as nothing else does. @return nothing if it is no OTLP
std::optional<Signal> signalOfMessage(std::span<const std::uint8_t> message);

/// A message in JSON begins with a brace, which none in protobuf does.
Encoding encodingOfMessage(std::span<const std::uint8_t> message);

} // namespace hearth
