#pragma once

#include "ingest/bytes/byte_range.h"
#include "ingest/elf/cursor.h"

#include <cstdint>
#include <vector>

namespace hearth {

/// Reads a section here and there, a block at a time. Of one thread.
class SectionWindow {
public:
    explicit SectionWindow(ByteRange section, std::endian order = std::endian::little)
        : m_section(std::move(section)), m_order(order)
    {}

    /// From there on, some kilobytes unless the section ends: enough for any single entry.
    Cursor at(std::uint64_t offset);

private:
    ByteRange m_section;
    std::endian m_order;
    std::uint64_t m_begin = 0;
    std::vector<std::uint8_t> m_block;
};

} // namespace hearth
