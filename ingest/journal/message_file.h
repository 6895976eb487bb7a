#pragma once

#include "ingest/bytes/packing.h"
#include "model/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hearth {

/// A request as it stands in a file of OTLP messages: its length (32 bits, big-endian) and its bytes,
/// compressed by itself, so that a file can end behind any message. It is the Collector's file exporter that
/// writes such files.
std::string messageRecord(std::span<const std::uint8_t> message, Packing packing);

/// A file that grows by whole records. One thread at a time.
class MessageFile {
public:
    /// Writes a new file, or an empty one over what was there.
    static Result<MessageFile> create(const std::string &path);

    MessageFile(MessageFile &&other) noexcept;
    MessageFile &operator=(MessageFile &&other) noexcept;
    ~MessageFile();

    /// All of the record is in the file, as every other process sees it, or nothing is.
    Result<void> append(std::string_view record);

    /// Puts what was appended beyond the reach of a power failure. Any thread, beside the one that appends.
    Result<void> sync() const;

    std::uint64_t size() const { return m_size; }
    const std::string &path() const { return m_path; }

private:
    MessageFile(std::string path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}

    std::string m_path;
    int m_descriptor = -1;
    std::uint64_t m_size = 0;
};

} // namespace hearth
