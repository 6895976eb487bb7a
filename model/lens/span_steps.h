#pragma once

#include "model/lens/lens.h"
#include "model/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The steps that choose spans with one click, and what people type to find some.

namespace hearth {

/// What of a lens chooses spans: a group, a band of durations, a trace, a span. Other terms on spans
/// (`error`, `span~RE` …) are filters, which stay when something else is chosen.
struct SpanChoice {
    std::string service;                ///< with a name: of this service alone; empty: of any
    std::optional<std::string> name;    ///< of spans
    std::optional<std::int64_t> fromNs; ///< that last at least so long
    std::optional<std::int64_t> toNs;   ///< and shorter than this
    std::string trace;                  ///< hex digits; empty: any
    std::string span;                   ///< hex digits; empty: any

    bool isAnything() const { return *this != SpanChoice(); }
    bool operator==(const SpanChoice &) const = default;
};

SpanChoice spanChoiceOf(const Lens &lens);

/// Of the spans that a choice with a band is about, those that it leaves out because they are faster; if
/// there are none that could be, those that are slower.
SpanChoice outsideBand(SpanChoice choice);

/// What the lens of a choice asks for: a trace or span, or a group and a band, not both.
SpanChoice effective(const SpanChoice &choice);

/// What narrows the list of traces.
SpanChoice withoutTrace(SpanChoice choice);

/// The lens without what it chooses.
Lens withoutSpanChoice(Lens lens);

/// The lens with this choice instead of the one it has.
Lens withSpanChoice(Lens lens, const SpanChoice &choice);

/// What is typed to find spans: the terms of a lens, where a word is a part of a span's name and KEY=VALUE an
/// attribute of it. `cart service=shop duration>100ms error`. All terms of the result are on spans.
Result<Lens> parseSpanSearch(std::string_view text);

/// The lens with the terms of another that are on spans.
Lens withSpanTerms(Lens lens, const Lens &more);

} // namespace hearth
