#include "ingest/bytes/wire.h"
#include "ingest/bytes/wire_writer.h"
#include "ingest/otlp/encode/any_value.h"
#include "ingest/otlp/encode/envelope_writer.h"
#include "ingest/otlp/encode/records.h"
#include "ingest/otlp/fields.h"

#include <bit>
#include <map>
#include <tuple>

namespace hearth::otlp {

namespace {

std::uint64_t bitsOf(double number)
{
    return std::bit_cast<std::uint64_t>(number);
}

/// The points of a metric follow one another as long as its scope and itself stay the same; so do its points
/// here, in one Metric message.
class MetricsEncoder {
public:
    explicit MetricsEncoder(const Snapshot &snapshot) : m_snapshot(snapshot), m_envelope(snapshot) {}

    std::string run()
    {
        m_snapshot.points.forEach(
            [this](const MetricChunk &chunk, const MetricPoint &point) { add(chunk, point); });
        flush();
        return m_envelope.finish();
    }

private:
    void add(const MetricChunk &chunk, const MetricPoint &point)
    {
        const Context &context = m_snapshot.contexts[point.context.value];
        if (point.metric != m_metric || context.resource != m_context.resource ||
            context.scope != m_context.scope)
            flush();
        m_metric = point.metric;
        m_context = context;
        WireWriter(m_points).bytes(DataField::Points, pointOf(chunk, point));
    }

    void flush()
    {
        if (m_points.empty())
            return;
        const Metric &metric = m_snapshot.metrics[m_metric.value];
        std::string data = std::exchange(m_points, {});
        WireWriter dataWriter(data);
        if (metric.kind != MetricKind::Gauge && metric.kind != MetricKind::Summary)
            dataWriter.number(DataField::Temporality, static_cast<std::uint64_t>(metric.temporality));
        if (metric.kind == MetricKind::Sum)
            dataWriter.number(DataField::IsMonotonic, metric.isMonotonic);
        std::string out;
        WireWriter writer(out);
        writer.nonEmpty(MetricField::Name, m_snapshot.text(metric.name));
        writer.nonEmpty(MetricField::Description, m_snapshot.text(metric.description));
        writer.nonEmpty(MetricField::Unit, m_snapshot.text(metric.unit));
        writer.bytes(dataFieldOf(metric.kind), data);
        out += keyValuesOf(m_snapshot, metric.metadata, static_cast<std::uint32_t>(MetricField::Metadata));
        WireWriter(m_envelope.records(m_context)).bytes(kScopeRecord, out);
    }

    static MetricField dataFieldOf(MetricKind kind)
    {
        constexpr std::array kFields{MetricField::Gauge, MetricField::Sum, MetricField::Histogram,
                                     MetricField::ExponentialHistogram, MetricField::Summary};
        return kFields[static_cast<std::size_t>(kind)];
    }

    std::string pointOf(const MetricChunk &chunk, const MetricPoint &point) const
    {
        static const Distribution kNothing;
        const Distribution &distribution =
            point.distribution == MetricPoint::kNone ? kNothing : chunk.distributions[point.distribution];
        switch (m_snapshot.metrics[point.metric.value].kind) {
        case MetricKind::Histogram:
            return histogramPoint(chunk, point, distribution);
        case MetricKind::ExponentialHistogram:
            return exponentialPoint(chunk, point, distribution);
        case MetricKind::Summary:
            return summaryPoint(chunk, point, distribution);
        default:
            return numberPoint(chunk, point);
        }
    }

    /// What all kinds of points have, under numbers of their own.
    template <class Field>
    void writeCommon(std::string &out, const MetricChunk &chunk, const MetricPoint &point) const
    {
        WireWriter writer(out);
        writer.fixed64(Field::Start, point.startNs);
        writer.fixed64(Field::Time, point.timeNs);
        out += keyValuesOf(m_snapshot, m_snapshot.contexts[point.context.value].sample,
                           static_cast<std::uint32_t>(Field::Attributes));
        writer.number(Field::Flags, point.flags);
        if constexpr (requires { Field::Exemplars; })
            for (std::uint32_t i = 0; i < point.exemplarCount; ++i)
                writer.bytes(Field::Exemplars, exemplarOf(chunk.exemplars[point.exemplarBegin + i]));
    }

    template <class Field>
    static void writeNumber(WireWriter &writer, const Number &number)
    {
        if (number.type == NumberType::Int)
            writer.presentFixed64(Field::Int, number.bits);
        else if (number.type == NumberType::Double)
            writer.presentFixed64(Field::Double, number.bits);
    }

    template <class Field>
    static void writeSums(WireWriter &writer, const Distribution &distribution)
    {
        writer.fixed64(Field::Count, distribution.count);
        if ((distribution.flags & kHasSum) != 0)
            writer.presentFixed64(Field::Sum, bitsOf(distribution.sum));
        if constexpr (requires { Field::Min; }) {
            if ((distribution.flags & kHasMin) != 0)
                writer.presentFixed64(Field::Min, bitsOf(distribution.min));
            if ((distribution.flags & kHasMax) != 0)
                writer.presentFixed64(Field::Max, bitsOf(distribution.max));
        }
    }

    std::string numberPoint(const MetricChunk &chunk, const MetricPoint &point) const
    {
        std::string out;
        WireWriter writer(out);
        writeCommon<NumberPointField>(out, chunk, point);
        writeNumber<NumberPointField>(writer, point.value);
        return out;
    }

    std::string histogramPoint(const MetricChunk &chunk, const MetricPoint &point,
                               const Distribution &distribution) const
    {
        std::string out;
        WireWriter writer(out);
        writeCommon<HistogramPointField>(out, chunk, point);
        writeSums<HistogramPointField>(writer, distribution);
        std::string counts;
        for (std::uint32_t i = 0; i < distribution.buckets.count; ++i)
            WireWriter(counts).fixed(chunk.counts[distribution.buckets.begin + i], 8);
        writer.nonEmpty(HistogramPointField::Counts, counts);
        std::string bounds;
        for (std::uint32_t i = 0; i < distribution.bounds.count; ++i)
            WireWriter(bounds).fixed(bitsOf(chunk.bounds[distribution.bounds.begin + i]), 8);
        writer.nonEmpty(HistogramPointField::Bounds, bounds);
        return out;
    }

    std::string exponentialPoint(const MetricChunk &chunk, const MetricPoint &point,
                                 const Distribution &distribution) const
    {
        using Field = ExponentialPointField;
        std::string out;
        WireWriter writer(out);
        writeCommon<Field>(out, chunk, point);
        writeSums<Field>(writer, distribution);
        writer.number(Field::Scale, toZigzag(distribution.scale));
        writer.fixed64(Field::ZeroCount, distribution.zeroCount);
        if (distribution.zeroThreshold != 0)
            writer.presentFixed64(Field::ZeroThreshold, bitsOf(distribution.zeroThreshold));
        writer.nonEmpty(Field::Positive, bucketsOf(chunk, distribution.buckets, distribution.offset));
        writer.nonEmpty(Field::Negative,
                        bucketsOf(chunk, distribution.negativeBuckets, distribution.negativeOffset));
        return out;
    }

    static std::string bucketsOf(const MetricChunk &chunk, Run run, std::int32_t offset)
    {
        std::string counts;
        for (std::uint32_t i = 0; i < run.count; ++i)
            WireWriter(counts).varint(chunk.counts[run.begin + i]);
        std::string out;
        WireWriter writer(out);
        writer.number(BucketsField::Offset, toZigzag(offset));
        writer.nonEmpty(BucketsField::Counts, counts);
        return out;
    }

    std::string summaryPoint(const MetricChunk &chunk, const MetricPoint &point,
                             const Distribution &distribution) const
    {
        std::string out;
        WireWriter writer(out);
        writeCommon<SummaryPointField>(out, chunk, point);
        writeSums<SummaryPointField>(writer, distribution);
        for (std::uint32_t i = 0; i + 1 < distribution.bounds.count; i += 2) {
            std::string pair;
            WireWriter pairWriter(pair);
            pairWriter.presentFixed64(QuantileField::Quantile,
                                      bitsOf(chunk.bounds[distribution.bounds.begin + i]));
            pairWriter.presentFixed64(QuantileField::Value,
                                      bitsOf(chunk.bounds[distribution.bounds.begin + i + 1]));
            writer.bytes(SummaryPointField::Quantiles, pair);
        }
        return out;
    }

    std::string exemplarOf(const Exemplar &exemplar) const
    {
        std::string out;
        WireWriter writer(out);
        writer.fixed64(ExemplarField::Time, exemplar.timeNs);
        writeNumber<ExemplarField>(writer, exemplar.value);
        writeLink(writer, ExemplarField::TraceId, ExemplarField::SpanId,
                  m_snapshot.links[exemplar.link.value]);
        out += keyValuesOf(m_snapshot, exemplar.attributes,
                           static_cast<std::uint32_t>(ExemplarField::Attributes));
        return out;
    }

    const Snapshot &m_snapshot;
    EnvelopeWriter m_envelope;
    MetricId m_metric;
    Context m_context;
    std::string m_points; ///< of the metric at hand
};

} // namespace

std::string metricsOf(const Snapshot &snapshot)
{
    return MetricsEncoder(snapshot).run();
}

} // namespace hearth::otlp
