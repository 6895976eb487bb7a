#pragma once

#include <cstdint>
#include <span>

namespace hearth::agent {

/// The line of an instruction by the table that CPython keeps with its code. Each has another form:
///
///   until 3.9   pairs of bytes: how far on in the code, how many lines on (signed)
///   3.10        the same, but each pair is about the piece of code that it ends (PEP 626); -128: no line
///   since 3.11  entries of a byte 1CCCCLLL and more: L + 1 units of two bytes of code, and by C how the line
///               and columns are written
///
/// @param minorVersion of 3
/// @param instruction its distance from the begin of the code in bytes; negative before the first one
/// @return 0 if it has none
std::int64_t pythonLine(std::uint32_t minorVersion, std::span<const std::uint8_t> table,
                        std::int64_t firstLine, std::int64_t instruction);

} // namespace hearth::agent
