#pragma once

#include "ingest/elf/cursor.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hearth {

/// What a linker or a compiler says of a program, in a section or segment of notes.
struct ElfNote {
    std::string_view owner; ///< without the zero that it ends with
    std::uint32_t type = 0;
    std::span<const std::uint8_t> content;
};

/// The note at the cursor, which is then behind it; nothing at the end, or where there is none whole.
std::optional<ElfNote> nextNote(Cursor &cursor);

/// Which build a program is, in hex, if this is the note of GNU's linker that says so.
std::optional<std::string> gnuBuildId(const ElfNote &note);

/// The same as Go's linker says it.
std::optional<std::string> goBuildId(const ElfNote &note);

} // namespace hearth
