#pragma once

#include "ingest/formats/read_watch.h"
#include "ingest/formats/text_encoding.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hearth {

/// The lines of a text in any encoding, one after the other.
class LineReader {
public:
    /// @param losses get lines that are too long, and the one that the input was cut off in
    LineReader(InputStream &input, ReadWatch &watch, Losses &losses);

    /// @param line without its end; valid until the next call. @return false at the end
    bool next(std::string_view &line);

    /// Of the line at hand, from 1 on.
    std::uint64_t number() const { return m_number; }
    std::string place() const { return "line " + std::to_string(m_number); }
    std::uint64_t position() const { return m_input.position(); }

private:
    bool findEnd(std::size_t &at) const;
    bool takeLast(std::size_t &size);
    void skipLong();
    bool isWide() const
    {
        return m_encoding == TextEncoding::Utf16Little || m_encoding == TextEncoding::Utf16Big;
    }
    std::size_t unit() const { return isWide() ? 2 : 1; }

    InputStream &m_input;
    ReadWatch &m_watch;
    Losses &m_losses;
    TextEncoding m_encoding = TextEncoding::Bytes;
    std::string m_decoded;     ///< the line at hand, where the input is UTF-16
    std::size_t m_scanned = 0; ///< length of the line at hand with its end, still in the window
    std::uint64_t m_number = 0;
};

} // namespace hearth
