#pragma once

#include "model/store/row_index.h"
#include "model/store/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hearth {

using SpanRow = Id<struct SpanRowTag>;   ///< counts from the oldest span that a snapshot still has
using TraceRow = Id<struct TraceRowTag>; ///< in the order in which their ids were first seen

/// What is to be said of a span, in one byte.
enum SpanMark : std::uint8_t {
    kSpanFailed = 1,    ///< its status is error
    kSpanReversed = 2,  ///< it ends before it starts, and is taken to last no time
    kSpanDuplicate = 4, ///< another with its id came before; children and samples belong to that one
    kSpanWithoutId = 8, ///< its id is missing or no id: nothing can refer to it
};

/// How many spans are not as they should be.
struct SpanFaults {
    std::uint64_t reversed = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t withoutId = 0;
    std::uint64_t orphans = 0; ///< name a parent that has not been received

    bool any() const { return reversed + duplicates + withoutId + orphans > 0; }
    bool operator==(const SpanFaults &) const = default;
};

/// The spans of a data set as columns, found by link, by parent and by trace.
///
/// Spans arrive in any order, mostly children before their parents. Children therefore hang from the link of
/// their parent, as a list, whether or not it has arrived; that a span has itself for an ancestor is found by
/// whoever walks (span_order.h), and no walk here ends because of it.
///
///   link ──▶ row of its span         link ──▶ first child ──▶ next sibling ──▶ …         link ──▶ trace
///
/// A later snapshot costs what is new in it, unless spans were evicted: then all is read again. Traces are
/// those of all links, with spans or without.
class SpanTable {
public:
    /// REQUIRES: snapshots of one data set, none older than those before.
    void extend(const Snapshot &snapshot);

    std::size_t size() const { return m_links.size(); }
    std::size_t linkCount() const { return m_rowOfLink.size(); }
    std::size_t traceCount() const { return m_linkOfTrace.size(); }
    const SpanFaults &faults() const { return m_faults; }

    LinkId link(SpanRow row) const { return m_links[row.value]; }
    LinkId parentLink(SpanRow row) const { return m_parents[row.value]; }
    StringId name(SpanRow row) const { return m_names[row.value]; }
    ContextId context(SpanRow row) const { return m_contexts[row.value]; }
    std::int64_t startNs(SpanRow row) const { return m_starts[row.value]; }
    std::int64_t durationNs(SpanRow row) const { return m_durations[row.value]; }
    std::int64_t endNs(SpanRow row) const { return startNs(row) + durationNs(row); }
    std::uint8_t marks(SpanRow row) const { return m_marks[row.value]; }
    TraceRow trace(SpanRow row) const { return traceOf(link(row)); }

    /// None if there is no such span, as all that follow.
    SpanRow rowOf(LinkId link) const { return m_rowOfLink[link.value]; }
    SpanRow parent(SpanRow row) const { return rowOf(parentLink(row)); }
    bool isOrphan(SpanRow row) const { return parentLink(row) != LinkId() && parent(row).isNone(); }

    /// Spans that name this link as their parent, the last to arrive first.
    SpanRow firstChild(LinkId parent) const { return m_firstChild[parent.value]; }
    SpanRow nextSibling(SpanRow row) const { return m_nextSibling[row.value]; }

    /// None for links without a trace id.
    TraceRow traceOf(LinkId link) const { return m_traceOfLink[link.value]; }
    /// One of the links of a trace: whoever wants to know its id finds it there.
    LinkId anyLink(TraceRow trace) const { return m_linkOfTrace[trace.value]; }

private:
    void forgetSpans();
    void addLinks(const Snapshot &snapshot);
    void add(const Span &span);

    std::uint64_t m_evicted = 0;
    SpanFaults m_faults;

    // By span
    std::vector<LinkId> m_links;
    std::vector<LinkId> m_parents;
    std::vector<StringId> m_names;
    std::vector<ContextId> m_contexts;
    std::vector<std::int64_t> m_starts;
    std::vector<std::int64_t> m_durations;
    std::vector<std::uint8_t> m_marks;
    std::vector<SpanRow> m_nextSibling;

    // By link
    std::vector<SpanRow> m_rowOfLink;
    std::vector<SpanRow> m_firstChild;
    std::vector<TraceRow> m_traceOfLink;

    std::vector<LinkId> m_linkOfTrace;
    RowIndex m_traceIndex;
};

/// The record itself, with all that the columns leave out, and the chunk that its events and links are in.
struct SpanRecord {
    const SpanChunk *chunk = nullptr;
    const Span *span = nullptr;
};
SpanRecord spanRecord(const Snapshot &snapshot, SpanRow row);

/// 32 and 16 lower-case hex digits.
std::string traceText(const Link &link);
std::string spanText(const Link &link);

} // namespace hearth
