#include "ingest/formats/memory_maps.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace hearth {

namespace {

/// Takes a hexadecimal number off. @return false if there is none
bool takeHex(std::string_view &text, std::uint64_t &number)
{
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number, 16);
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    return parsed.ec == std::errc();
}

std::string_view takeWord(std::string_view &text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    return word;
}

} // namespace

/// "55ee07814000-55ee07815000 r-xp 00001000 00:00 9980231     /usr/bin/prog"
bool MemoryMaps::addLine(std::string_view line)
{
    Range range;
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (!takeHex(line, range.start) || !line.starts_with('-'))
        return false;
    line.remove_prefix(1);
    if (!takeHex(line, range.end) || range.end <= range.start)
        return false;
    const std::string_view permissions = takeWord(line);
    std::string_view offset = takeWord(line);
    if (permissions.size() != 4 || !takeHex(offset, range.offset))
        return false;
    takeWord(line); // the device
    takeWord(line); // the inode
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty())
        return true;
    range.mapping = m_builder.mapping({.path = line}, range.start, range.end, range.offset);
    m_ranges.insert_or_assign(range.start, range);
    return true;
}

FrameId MemoryMaps::frame(std::uint64_t address)
{
    Frame frame;
    frame.address = address;
    const auto behind = m_ranges.upper_bound(address);
    if (behind != m_ranges.begin()) {
        const Range &range = std::prev(behind)->second;
        if (address < range.end) {
            frame.mapping = range.mapping;
            frame.address = address - range.start + range.offset;
        }
    }
    return m_builder.frame(frame, {});
}

} // namespace hearth
