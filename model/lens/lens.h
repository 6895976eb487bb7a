#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What the user is looking at, as one plain value. Every view is a pure function of a snapshot and a Lens.
//
// A lens has no behaviour: lens_text.h turns it into text and back, compiled_lens.h into something to
// evaluate. Those two expect that expressions compile, that ranges are ranges, and what else is said below; a
// lens that was parsed always is like that.

namespace hearth {

enum class TimeBase : std::uint8_t {
    Start, ///< since the earliest sample of the data set
    End,   ///< before the latest one is over: moves on while data arrives
    Epoch, ///< since 1970-01-01T00:00:00Z
    Clock, ///< time of day where the viewer runs, 0 … 24 h; a range may run over midnight
};

struct TimePoint {
    TimeBase base = TimeBase::Start;
    std::int64_t ns = 0; ///< not negative, unless it counts from 1970

    bool operator==(const TimePoint &) const = default;
};

/// `time=A..B`: samples from A on, and before B. An end that is missing is open.
struct TimeTerm {
    std::optional<TimePoint> from;
    std::optional<TimePoint> to;

    bool isEverything() const { return !from && !to; }
    bool operator==(const TimeTerm &) const = default;
};

enum class PathTermKind : std::uint8_t {
    Literal,   ///< `json::parse`, `"two words"`: in the name of a function, upper and lower case alike
    Regex,     ///< `/re/`: matches the name of a function
    Focus,     ///< `focus:RE`: matches function name, source file or binary. Negated it is pprof's `ignore`
    Library,   ///< `lib:RE`: matches the path of a binary
    File,      ///< `file:RE`: matches a source file
    FrameKind, ///< `type:KIND`: is the kind of a frame, upper and lower case alike
    Self,      ///< `self:RE`: as Focus, but of the innermost frame alone
};

/// Keeps the samples with a frame like this on their stack; negated, those without any.
struct PathTerm {
    PathTermKind kind = PathTermKind::Literal;
    std::string text;
    bool isNegated = false;

    bool operator==(const PathTerm &) const = default;
};

enum class FrameTermKind : std::uint8_t {
    Hide,     ///< pprof's `hide`: the lines that match go
    Show,     ///< pprof's `show`: only the lines that match stay
    From,     ///< pprof's `show_from`: stacks begin at their outermost match
    To,       ///< stacks end at their outermost match, which gets what it called as its own
    Once,     ///< of what matches, nothing is twice in a stack: what is between goes, and the inner one
    Collapse, ///< frames of binaries that match are shown as the binary, neighbours as one
    Pivot,    ///< the callers above a function and the callees below it
};

/// Reshapes stacks. The text is a regular expression on function name, source file or binary.
struct FrameTerm {
    FrameTermKind kind = FrameTermKind::Hide;
    std::string text;

    bool operator==(const FrameTerm &) const = default;
};

/// pprof's `tagfocus` with its own little language (tag_filter.h). Negated it is pprof's `tagignore`.
struct TagTerm {
    std::string text;
    bool isNegated = false;

    bool operator==(const TagTerm &) const = default;
};

enum class AttributeTermKind : std::uint8_t {
    Equals,  ///< `@KEY=VALUE`: the attribute printed is this text
    Matches, ///< `@KEY~RE`: the attribute printed matches
    Range,   ///< `@KEY=A..B`: A and B included, each a number with or without a unit, or nothing for an open
             ///< end
};

/// Keeps the samples with such an attribute; negated, those without.
struct AttributeTerm {
    AttributeTermKind kind = AttributeTermKind::Equals;
    std::string key; ///< as sent, or one of the names of attribute_keys.h
    std::string text;
    bool isNegated = false;

    bool operator==(const AttributeTerm &) const = default;
};

enum class SpanTermKind : std::uint8_t {
    Name,    ///< `span=NAME`: is called just this
    Matches, ///< `span~RE`: its name matches
    Id,      ///< `spanid=HEX`: the first 1 to 16 digits of its id, lower-case
    Longer,  ///< `duration>100ms`
    AtLeast, ///< `duration>=100ms`
    Shorter, ///< `duration<100ms`
    AtMost,  ///< `duration<=100ms`
    Failed,  ///< `error`: its status
};

/// Keeps the samples of the spans for which this holds; negated, of those for which it does not. All terms on
/// spans have to hold for the same span. What ran in its children ran in it.
struct SpanTerm {
    SpanTermKind kind = SpanTermKind::Name;
    std::string text;    ///< of Name, Matches and Id
    std::int64_t ns = 0; ///< of durations; not negative
    bool isNegated = false;

    bool operator==(const SpanTerm &) const = default;
};

/// What makes two places in a program the same row. The words are pprof's.
enum class Granularity : std::uint8_t { Function, FileFunction, File, Line, Binary, Address };

/// All terms hold at once. The order of terms of one list is the order they were written in.
struct Lens {
    std::string series; ///< type, `type/unit` or pprof's index; empty: the data set's default
    TimeTerm time;
    std::vector<PathTerm> paths;
    std::vector<FrameTerm> frames;
    std::vector<std::string> under; ///< stacks that begin with these names, groups not counted; empty: any
    std::vector<TagTerm> tags;
    std::vector<AttributeTerm> attributes;
    std::string trace; ///< the first 1 to 32 digits of a trace id, lower-case hex; empty: any
    std::vector<SpanTerm> spans;
    std::vector<AttributeTerm> spanAttributes; ///< `span@KEY=VALUE` and its like: of spans, not of samples
    std::vector<std::string> tagRoot; ///< pprof's `tagroot`: labels that become frames, the outermost first
    std::vector<std::string> tagLeaf; ///< pprof's `tagleaf`
    std::vector<std::string> groupBy; ///< attributes whose values part the samples before anything else does
    Granularity granularity = Granularity::Function;
    bool noChildren = false;     ///< of the spans that terms name: not what ran in their children
    bool estimatesLinks = false; ///< a sample without a link counts to the span of its thread and time
    bool noInlines = false;      ///< of each location, only the outermost line
    bool isInverted = false;     ///< callees above callers

    bool operator==(const Lens &) const = default;
};

} // namespace hearth
