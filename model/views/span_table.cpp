#include "model/views/span_table.h"

#include <algorithm>
#include <limits>
#include <span>

namespace hearth {

namespace {

using SpanLog = RecordLog<SpanChunk>;

/// Times are unsigned on the wire. What is beyond the year 2262 stays at its end.
std::int64_t signedTime(std::uint64_t ns)
{
    return static_cast<std::int64_t>(std::min<std::uint64_t>(ns, std::numeric_limits<std::int64_t>::max()));
}

std::string hexText(std::span<const std::uint8_t> bytes)
{
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const std::uint8_t byte : bytes) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 0xfU];
    }
    return text;
}

} // namespace

void SpanTable::extend(const Snapshot &snapshot)
{
    addLinks(snapshot);
    if (snapshot.spans.evicted != m_evicted)
        forgetSpans();
    m_evicted = snapshot.spans.evicted;
    const auto &chunks = snapshot.spans.chunks;
    for (std::size_t chunk = size() / SpanLog::kRows; chunk < chunks.size(); ++chunk) {
        const std::span<const Span> rows = chunks[chunk]->rows;
        for (const Span &span : rows.subspan(size() - chunk * SpanLog::kRows))
            add(span);
    }
}

void SpanTable::forgetSpans()
{
    m_faults = {};
    m_links.clear();
    m_parents.clear();
    m_names.clear();
    m_contexts.clear();
    m_starts.clear();
    m_durations.clear();
    m_marks.clear();
    m_nextSibling.clear();
    std::ranges::fill(m_rowOfLink, SpanRow::none());
    std::ranges::fill(m_firstChild, SpanRow::none());
}

void SpanTable::addLinks(const Snapshot &snapshot)
{
    const std::size_t first = linkCount();
    const std::size_t links = snapshot.links.size();
    m_rowOfLink.resize(links, SpanRow::none());
    m_firstChild.resize(links, SpanRow::none());
    m_traceOfLink.resize(links, TraceRow::none());
    const auto traceAt = [&](std::size_t link) -> const auto & { return snapshot.links[link].trace; };
    const auto hashOf = [&](std::size_t i) { return hashBytes(traceAt(first + i).data(), 16); };
    forEachPrefetched(links - first, m_traceIndex, hashOf, [&](std::size_t i, std::uint64_t hash) {
        const std::size_t link = first + i;
        if (traceAt(link) == Link().trace)
            return;
        std::uint32_t trace = m_traceIndex.find(
            hash, [&](std::uint32_t other) { return traceAt(m_linkOfTrace[other].value) == traceAt(link); });
        if (trace == RowIndex::kNoRow) {
            trace = static_cast<std::uint32_t>(traceCount());
            m_linkOfTrace.emplace_back(link);
            m_traceIndex.insert(hash, trace);
        }
        m_traceOfLink[link] = TraceRow(trace);
    });
}

void SpanTable::add(const Span &span)
{
    const SpanRow row(size());
    const bool hasId = span.id != LinkId();
    const bool isDuplicate = hasId && !rowOf(span.id).isNone();
    const bool isReversed = span.endNs < span.startNs;
    std::uint8_t marks = span.status == SpanStatus::Error ? kSpanFailed : 0;
    if (isReversed)
        marks |= kSpanReversed;
    if (isDuplicate)
        marks |= kSpanDuplicate;
    if (!hasId)
        marks |= kSpanWithoutId;
    m_faults.reversed += isReversed;
    m_faults.duplicates += isDuplicate;
    m_faults.withoutId += !hasId;

    const std::int64_t start = signedTime(span.startNs);
    m_links.push_back(span.id);
    m_parents.push_back(span.parent);
    m_names.push_back(span.name);
    m_contexts.push_back(span.context);
    m_starts.push_back(start);
    m_durations.push_back(isReversed ? 0 : signedTime(span.endNs) - start);
    m_marks.push_back(marks);
    m_nextSibling.push_back(SpanRow::none());
    if (hasId && !isDuplicate) {
        m_rowOfLink[span.id.value] = row;
        for (SpanRow child = firstChild(span.id); !child.isNone(); child = nextSibling(child))
            --m_faults.orphans;
    }
    if (span.parent != LinkId()) {
        m_nextSibling[row.value] = m_firstChild[span.parent.value];
        m_firstChild[span.parent.value] = row;
        m_faults.orphans += parent(row).isNone();
    }
}

SpanRecord spanRecord(const Snapshot &snapshot, SpanRow row)
{
    const SpanChunk &chunk = *snapshot.spans.chunks[row.value / SpanLog::kRows];
    return {&chunk, &chunk.rows[row.value % SpanLog::kRows]};
}

std::string traceText(const Link &link)
{
    return hexText(link.trace);
}

std::string spanText(const Link &link)
{
    return hexText(link.span);
}

} // namespace hearth
