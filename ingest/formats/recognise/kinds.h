#pragma once

#include "ingest/formats/format.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// What recognise() asks of each kind of content. All return what it is, or nothing. The tables that they go
// by say which reader a content is for: a format that Hearth learns to read gets it there.

namespace hearth {

/// Bytes that a format has at a fixed place.
struct Magic {
    std::string_view bytes;
    std::string_view name;
    std::size_t offset = 0;
    const Format *format = nullptr; ///< that reads it

    constexpr Recognition recognition() const { return {name, format}; }
};

Recognition byMagic(std::span<const Magic> magics, std::string_view head);

inline std::string_view textOf(std::span<const std::uint8_t> bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

inline bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

inline constexpr std::string_view kOtlpProfiles = "file of OTLP profiles";

/// By the keys of an object or of the objects of a list.
Recognition byJson(std::string_view head);

/// By the fields of a Protocol Buffers message, or of the first of several behind their lengths.
Recognition byMessages(std::span<const std::uint8_t> head, bool isWhole);

/// By first words and by lines.
Recognition byText(std::string_view head, bool isWhole);

/// Text, apart from so many control characters.
bool isText(std::string_view head, std::size_t most = 0);

bool isFolded(std::string_view head, bool isWhole);

} // namespace hearth
