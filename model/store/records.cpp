#include "model/store/records.h"

namespace hearth {

namespace {

/// Appends a run of `from` to `to`. @return where it begins there
template <class Row>
std::uint32_t copyRun(const std::vector<Row> &from, std::uint32_t begin, std::uint32_t count,
                      std::vector<Row> &to)
{
    const auto at = static_cast<std::uint32_t>(to.size());
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(begin);
    to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(count));
    return at;
}

template <class Row>
Run copyRun(const std::vector<Row> &from, Run run, std::vector<Row> &to)
{
    return {copyRun(from, run.begin, run.count, to), run.count};
}

template <class Row>
std::size_t bytesOf(const std::vector<Row> &rows)
{
    return rows.capacity() * sizeof(Row);
}

} // namespace

void SpanChunk::add(const SpanChunk &from, std::size_t row)
{
    Span span = from.rows[row];
    span.eventBegin = copyRun(from.events, span.eventBegin, span.eventCount, events);
    span.linkBegin = copyRun(from.links, span.linkBegin, span.linkCount, links);
    rows.push_back(span);
}

std::size_t SpanChunk::bytes() const
{
    return bytesOf(rows) + bytesOf(events) + bytesOf(links);
}

void LogChunk::add(const LogChunk &from, std::size_t row)
{
    rows.push_back(from.rows[row]);
}

std::size_t LogChunk::bytes() const
{
    return bytesOf(rows);
}

void MetricChunk::add(const MetricChunk &from, std::size_t row)
{
    MetricPoint point = from.rows[row];
    point.exemplarBegin = copyRun(from.exemplars, point.exemplarBegin, point.exemplarCount, exemplars);
    if (point.distribution != MetricPoint::kNone) {
        Distribution distribution = from.distributions[point.distribution];
        distribution.buckets = copyRun(from.counts, distribution.buckets, counts);
        distribution.negativeBuckets = copyRun(from.counts, distribution.negativeBuckets, counts);
        distribution.bounds = copyRun(from.bounds, distribution.bounds, bounds);
        point.distribution = static_cast<std::uint32_t>(distributions.size());
        distributions.push_back(distribution);
    }
    rows.push_back(point);
}

std::size_t MetricChunk::bytes() const
{
    return bytesOf(rows) + bytesOf(distributions) + bytesOf(counts) + bytesOf(bounds) + bytesOf(exemplars);
}

} // namespace hearth
