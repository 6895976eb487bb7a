#pragma once

#include "model/store/ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hearth {

enum class SpanKind : std::uint8_t { Unspecified, Internal, Server, Client, Producer, Consumer };
enum class SpanStatus : std::uint8_t { Unset, Ok, Error };

/// One operation of a trace. Samples that ran in it have its id as their link.
struct Span {
    std::uint64_t startNs = 0; ///< since 1970, as all times here
    std::uint64_t endNs = 0;
    LinkId id;         ///< trace and span
    LinkId parent;     ///< of the same trace; row 0 if the span is a root
    ContextId context; ///< of resource and scope, and the span's own attributes
    StringId name;
    StringId traceState;
    StringId statusMessage;
    std::uint32_t eventBegin = 0; ///< in its chunk
    std::uint32_t eventCount = 0;
    std::uint32_t linkBegin = 0; ///< in its chunk
    std::uint32_t linkCount = 0;
    std::uint32_t droppedAttributes = 0; ///< by the sender, as all that is called dropped
    std::uint32_t droppedEvents = 0;
    std::uint32_t droppedLinks = 0;
    std::uint32_t flags = 0; ///< as sent: the low 8 bits are W3C's trace flags
    SpanKind kind = SpanKind::Unspecified;
    SpanStatus status = SpanStatus::Unset;
    std::uint16_t reserved = 0;
    std::uint32_t reserved2 = 0;

    bool operator==(const Span &) const = default;
};
static_assert(sizeof(Span) == 80);

/// Something that happened at one moment of a span.
struct SpanEvent {
    std::uint64_t timeNs = 0;
    StringId name;
    AttributeSetId attributes;
    std::uint32_t droppedAttributes = 0;
    std::uint32_t reserved = 0;

    bool operator==(const SpanEvent &) const = default;
};
static_assert(sizeof(SpanEvent) == 24);

/// Another span that a span has to do with, perhaps of another trace.
struct SpanLink {
    LinkId target;
    StringId traceState;
    AttributeSetId attributes;
    std::uint32_t droppedAttributes = 0;
    std::uint32_t flags = 0;

    bool operator==(const SpanLink &) const = default;
};
static_assert(sizeof(SpanLink) == 20);

/// Spans with their events and links.
struct SpanChunk {
    std::vector<Span> rows;
    std::vector<SpanEvent> events;
    std::vector<SpanLink> links;

    /// Appends a row of another chunk with all that belongs to it.
    void add(const SpanChunk &from, std::size_t row);
    std::size_t bytes() const;

    /// Calls `visit` with every id.
    template <class Visit>
    void forEachId(Visit visit)
    {
        for (Span &span : rows) {
            visit(span.id);
            visit(span.parent);
            visit(span.context);
            visit(span.name);
            visit(span.traceState);
            visit(span.statusMessage);
        }
        for (SpanEvent &event : events) {
            visit(event.name);
            visit(event.attributes);
        }
        for (SpanLink &link : links) {
            visit(link.target);
            visit(link.traceState);
            visit(link.attributes);
        }
    }
};

} // namespace hearth
