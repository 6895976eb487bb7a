#pragma once

#include "ingest/bytes/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace hearth {

/// What a format reader reads from: a window on a source that another thread reads (and unpacks) ahead.
///
/// Memory is bounded by a few blocks plus what the reader leaves unconsumed.
class InputStream {
public:
    explicit InputStream(std::unique_ptr<ByteSource> source);
    InputStream(const InputStream &) = delete;
    InputStream &operator=(const InputStream &) = delete;
    ~InputStream();

    /// The bytes at hand that have not been consumed, contiguous. Valid until extend().
    std::span<const std::uint8_t> window() const { return m_window; }

    /// Adds a block behind the window. @return false at the end, with the window as it was
    bool extend();

    /// Extends until the window has `size` bytes. @return false if the end comes before
    bool ensure(std::size_t size);

    void consume(std::size_t count)
    {
        m_window = m_window.subspan(count);
        m_position += count;
    }

    /// Of the window's first byte in the (unpacked) input.
    std::uint64_t position() const { return m_position; }

    /// Why the end came early, once extend() has returned false.
    std::optional<InputFault> fault() const;

private:
    struct ReadAhead;

    std::unique_ptr<ReadAhead> m_readAhead;
    std::span<const std::uint8_t> m_window;
    std::uint64_t m_position = 0;
};

} // namespace hearth
