#include "ingest/elf/section_window.h"

namespace hearth {

namespace {

constexpr std::size_t kBlock = std::size_t(16) << 10;
constexpr std::size_t kEnough = std::size_t(8) << 10;

} // namespace

Cursor SectionWindow::at(std::uint64_t offset)
{
    const bool isHere = offset >= m_begin && offset < m_begin + m_block.size();
    const std::size_t left = isHere ? m_block.size() - static_cast<std::size_t>(offset - m_begin) : 0;
    if (left < kEnough && left < m_section.size() - std::min(m_section.size(), offset)) {
        m_block.resize(kBlock);
        m_block.resize(m_section.read(offset, std::span(m_block)));
        m_begin = offset;
    }
    Cursor cursor(m_block, m_order);
    if (offset >= m_begin)
        cursor.seek(offset - m_begin);
    else
        cursor.skip(m_block.size() + 1); // beyond the section, and so no good
    return cursor;
}

} // namespace hearth
