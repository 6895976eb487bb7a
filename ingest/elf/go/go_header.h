#pragma once

#include "ingest/bytes/byte_range.h"

#include <bit>
#include <cstdint>
#include <optional>

namespace hearth::go {

/// The Go releases from which on a table of functions looks as it does.
enum class Layout { Go2, Go16, Go18, Go20 };

/// The head of a Go program's table of functions and lines (.gopclntab): which layout it has, and where its
/// parts begin, from the begin of the table.
struct Header {
    Layout layout = Layout::Go20;
    std::endian byteOrder = std::endian::little;
    std::uint8_t instructionSize = 1;
    std::uint8_t pointerSize = 8;
    std::uint64_t functionCount = 0;
    std::uint64_t textStart = 0;     ///< Go 1.18 to 1.25: where code begins; the loader may have to tell
    std::uint64_t functionTable = 0; ///< pairs of an address and the place of a record
    std::uint64_t records = 0;       ///< what such places count from
    std::uint64_t names = 0;
    std::uint64_t unitFiles = 0; ///< by unit: which files it has; none before Go 1.16
    std::uint64_t files = 0;
    std::uint64_t values = 0; ///< numbers by address

    /// Of a number in functionTable.
    unsigned fieldSize() const { return layout >= Layout::Go18 ? 4 : pointerSize; }
};

/// @return nothing where no such table begins
std::optional<Header> readHeader(const ByteRange &table);

} // namespace hearth::go
