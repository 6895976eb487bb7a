#pragma once

#include "ingest/bytes/byte_range.h"
#include "model/result.h"

#include <cstdint>

namespace hearth {

enum class SectionPacking { Zlib, Zstd, Xz };

/// What is packed in a section. Much of it goes to a file without a name instead of memory.
/// @param mostBytes more is an error
Result<ByteRange> unpackSection(const ByteRange &packed, SectionPacking packing, std::uint64_t mostBytes);

} // namespace hearth
