#include "agent/python/line_table.h"

#include "ingest/elf/cursor.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace hearth::agent {

namespace {

std::int64_t until39(Cursor table, std::int64_t line, std::int64_t instruction)
{
    for (std::int64_t at = 0; table.left() >= 2;) {
        at += table.u8();
        const auto lines = static_cast<std::int8_t>(table.u8());
        if (at > instruction)
            break;
        line += lines;
    }
    return line;
}

std::int64_t in310(Cursor table, std::int64_t line, std::int64_t instruction)
{
    constexpr int kNoLine = -128;
    for (std::int64_t end = 0; table.left() >= 2;) {
        end += table.u8();
        const auto lines = static_cast<std::int8_t>(table.u8());
        if (lines != kNoLine)
            line += lines;
        if (instruction < end)
            return lines == kNoLine ? 0 : line;
    }
    return 0;
}

/// Six bits a byte, the lowest first.
std::uint64_t number(Cursor &table)
{
    constexpr std::uint8_t kMore = 0x40;
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 6) {
        const std::uint8_t byte = table.u8();
        if (shift < 64)
            value |= static_cast<std::uint64_t>(byte & 0x3f) << shift;
        if ((byte & kMore) == 0)
            return value;
    }
}

/// As large as CPython's lines can be; what is larger is damaged, and must not add up to what no number
/// holds.
std::int64_t signedNumber(Cursor &table)
{
    constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
    const std::uint64_t value = number(table);
    const auto size = static_cast<std::int64_t>(std::min(value >> 1, kMost));
    return (value & 1) != 0 ? -size : size;
}

/// Reads what is behind the first byte of an entry. @return how many lines on; nothing if it has no line
std::optional<std::int64_t> linesOn(Cursor &table, unsigned code)
{
    constexpr unsigned kOneLine = 10, kNoColumns = 13, kLong = 14, kNone = 15;
    if (code == kNone)
        return std::nullopt;
    if (code == kLong) {
        const std::int64_t lines = signedNumber(table);
        for (int i = 0; i < 3; ++i) // the last line, and columns
            number(table);
        return lines;
    }
    if (code == kNoColumns)
        return signedNumber(table);
    table.skip(code >= kOneLine ? 2 : 1);
    return code >= kOneLine ? static_cast<std::int64_t>(code - kOneLine) : 0;
}

std::int64_t since311(Cursor table, std::int64_t line, std::int64_t instruction)
{
    constexpr unsigned kUnit = 2;
    for (std::int64_t end = 0; table.left() > 0;) {
        const std::uint8_t head = table.u8();
        end += ((head & 7U) + 1) * kUnit;
        const auto lines = linesOn(table, head >> 3 & 15U);
        line += lines.value_or(0);
        if (instruction < end && table.isGood())
            return lines ? line : 0;
    }
    return 0;
}

} // namespace

std::int64_t pythonLine(std::uint32_t minorVersion, std::span<const std::uint8_t> table,
                        std::int64_t firstLine, std::int64_t instruction)
{
    if (instruction < 0)
        return firstLine;
    if (minorVersion < 10)
        return until39(Cursor(table), firstLine, instruction);
    if (minorVersion == 10)
        return in310(Cursor(table), firstLine, instruction);
    return since311(Cursor(table), firstLine, instruction);
}

} // namespace hearth::agent
