#pragma once

#include "model/lens/lens.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// The words of the lens language; the parser and the printer agree on them here.

namespace hearth {

enum class LensKey : std::uint8_t {
    Regex,
    Focus,
    Ignore,
    Library,
    File,
    FrameKind,
    Self,
    Hide,
    Show,
    From,
    To,
    Once,
    Collapse,
    Pivot,
    Under,
    TagFocus,
    TagIgnore,
    Series,
    Time,
    Trace,
    Span,
    SpanId,
    TagRoot,
    TagLeaf,
    By,
    Granularity,
};

/// By any of its names.
std::optional<LensKey> lensKeyNamed(std::string_view word);

/// The name that is printed.
std::string_view nameOf(LensKey key);

/// The key that was perhaps meant; empty if none is near.
std::string_view nearestKey(std::string_view word);

/// How long the key at the beginning of a word is, the `:` or `=` behind it not counted; 0 if there is none.
/// `std::sort` and `operator==` begin with no key.
std::size_t keyLength(std::string_view word);

inline constexpr std::string_view kNoInlinesWord = "noinlines";
inline constexpr std::string_view kInvertedWord = "inverted";
inline constexpr std::string_view kNoChildrenWord = "nochildren";
inline constexpr std::string_view kEstimatedWord = "estimated";
inline constexpr std::string_view kErrorWord = "error";
inline constexpr std::string_view kSpanWord = "span";
inline constexpr std::string_view kDurationWord = "duration";

/// Is the word a term on spans that has no key: `span~x`, `span@x=y`, `duration>1ms`, `error`?
bool isSpanTerm(std::string_view word);

/// How durations are compared: "<", "<=", ">", ">="; empty for other terms.
std::string_view comparisonOf(SpanTermKind kind);

/// Does a word without quotes stand for a part of a function's name, rather than for anything else?
bool isPlainWord(std::string_view word);

/// With or without pprof's s at the end.
std::optional<Granularity> granularityNamed(std::string_view word, bool acceptsPlural);
std::string_view nameOf(Granularity granularity);

} // namespace hearth
