#include "ingest/otlp/fields.h"
#include "ingest/otlp/records.h"

#include <algorithm>

namespace hearth::otlp {

namespace {

/// What the fields of the five kinds of points are.
enum class PointRole : std::uint8_t {
    Unknown,
    Start,
    Time,
    Double,
    Int,
    Exemplar,
    Attributes,
    Flags,
    Count,
    Sum,
    Min,
    Max,
    Counts,
    Bounds,
    Scale,
    ZeroCount,
    ZeroThreshold,
    Positive,
    Negative,
    Quantile
};
using R = PointRole;

struct PointLayout {
    Roles<PointRole> roles;
    std::uint32_t attributes; ///< the number of that field
};
constexpr PointLayout kNumberPoint{.roles = {{2, R::Start},
                                             {3, R::Time},
                                             {4, R::Double},
                                             {5, R::Exemplar},
                                             {6, R::Int},
                                             {7, R::Attributes},
                                             {8, R::Flags}},
                                   .attributes = 7};
constexpr PointLayout kHistogramPoint{.roles = {{2, R::Start},
                                                {3, R::Time},
                                                {4, R::Count},
                                                {5, R::Sum},
                                                {6, R::Counts},
                                                {7, R::Bounds},
                                                {8, R::Exemplar},
                                                {9, R::Attributes},
                                                {10, R::Flags},
                                                {11, R::Min},
                                                {12, R::Max}},
                                      .attributes = 9};
constexpr PointLayout kExponentialPoint{.roles = {{1, R::Attributes},
                                                  {2, R::Start},
                                                  {3, R::Time},
                                                  {4, R::Count},
                                                  {5, R::Sum},
                                                  {6, R::Scale},
                                                  {7, R::ZeroCount},
                                                  {8, R::Positive},
                                                  {9, R::Negative},
                                                  {10, R::Flags},
                                                  {11, R::Exemplar},
                                                  {12, R::Min},
                                                  {13, R::Max},
                                                  {14, R::ZeroThreshold}},
                                        .attributes = 1};
constexpr PointLayout kSummaryPoint{.roles = {{2, R::Start},
                                              {3, R::Time},
                                              {4, R::Count},
                                              {5, R::Sum},
                                              {6, R::Quantile},
                                              {7, R::Attributes},
                                              {8, R::Flags}},
                                    .attributes = 7};

const PointLayout &layoutOf(MetricKind kind)
{
    switch (kind) {
    case MetricKind::Histogram:
        return kHistogramPoint;
    case MetricKind::ExponentialHistogram:
        return kExponentialPoint;
    case MetricKind::Summary:
        return kSummaryPoint;
    default:
        return kNumberPoint;
    }
}

double realOf(const WireField &field)
{
    return std::bit_cast<double>(field.number64);
}

class MetricsDecoder {
public:
    MetricsDecoder(Bytes message, Batch &batch)
        : m_reader(message, "data point", batch), m_batch(batch), m_points(batch.points)
    {}

    RecordCounts run()
    {
        m_reader.forEachRecord([this](Bytes metric) { decodeMetric(metric); });
        return m_reader.counts();
    }

private:
    void decodeMetric(Bytes message);
    std::vector<Bytes> readData(Bytes data, Metric &metric);
    void decodePoint(Bytes message, MetricKind kind);
    bool readNumber(PointRole role, const WireField &field, MetricPoint &point);
    bool readDistribution(PointRole role, const WireField &field, Distribution &distribution);
    bool readCounts(const WireField &field, Run &run);
    bool readBuckets(Bytes message, Run &run, std::int32_t &offset);
    bool addQuantile(Bytes message, Distribution &distribution);
    bool addExemplar(Bytes message);

    RecordReader m_reader;
    Batch &m_batch;
    MetricChunk &m_points;
};

void MetricsDecoder::decodeMetric(Bytes message)
{
    Metric metric;
    std::vector<Bytes> points;
    bool isWhole = true;
    const auto takeData = [&](const WireField &field, MetricKind kind) {
        isWhole &= field.isBytes();
        metric.kind = kind;
        for (const Bytes point : readData(field.bytes, metric))
            points.push_back(point);
    };
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        switch (static_cast<MetricField>(field.number)) {
        case MetricField::Name:
            metric.name = m_reader.text(field);
            break;
        case MetricField::Description:
            metric.description = m_reader.text(field);
            break;
        case MetricField::Unit:
            metric.unit = m_reader.text(field);
            break;
        case MetricField::Gauge:
            takeData(field, MetricKind::Gauge);
            break;
        case MetricField::Sum:
            takeData(field, MetricKind::Sum);
            break;
        case MetricField::Histogram:
            takeData(field, MetricKind::Histogram);
            break;
        case MetricField::ExponentialHistogram:
            takeData(field, MetricKind::ExponentialHistogram);
            break;
        case MetricField::Summary:
            takeData(field, MetricKind::Summary);
            break;
        case MetricField::Metadata:
            break;
        default:
            m_reader.countUnknown();
        }
    }
    if (!isWhole || !reader.isOk()) {
        m_reader.reject(message, "its metric is damaged");
        return;
    }
    metric.metadata = m_reader.attributes(message, static_cast<std::uint32_t>(MetricField::Metadata));
    m_batch.metrics.push_back(metric);
    for (const Bytes point : points)
        decodePoint(point, metric.kind);
}

std::vector<Bytes> MetricsDecoder::readData(Bytes data, Metric &metric)
{
    std::vector<Bytes> points;
    WireReader reader(data);
    WireField field;
    while (reader.next(field)) {
        switch (static_cast<DataField>(field.number)) {
        case DataField::Points:
            points.push_back(field.bytes);
            break;
        case DataField::Temporality:
            metric.temporality = static_cast<Temporality>(std::min<std::uint64_t>(field.number64, 255));
            break;
        case DataField::IsMonotonic:
            metric.isMonotonic = field.number64 != 0;
            break;
        default:
            m_reader.countUnknown();
        }
    }
    if (!reader.isOk())
        m_reader.reject(data, "its metric ends early");
    return points;
}

void MetricsDecoder::decodePoint(Bytes message, MetricKind kind)
{
    const PointLayout &layout = layoutOf(kind);
    const bool isDistribution = kind != MetricKind::Gauge && kind != MetricKind::Sum;
    const std::size_t counts = m_points.counts.size();
    const std::size_t bounds = m_points.bounds.size();
    MetricPoint point;
    point.exemplarBegin = static_cast<std::uint32_t>(m_points.exemplars.size());
    Distribution distribution;
    bool isWhole = true;
    isWhole &= forEachField(message, layout.roles, [&](PointRole role, const WireField &field) {
        isWhole &= isDistribution && role >= PointRole::Count ? readDistribution(role, field, distribution)
                                                              : readNumber(role, field, point);
    });
    const bool hasBuckets = distribution.buckets.count > 0 || distribution.bounds.count > 0;
    const bool fits = kind != MetricKind::Histogram || !hasBuckets ||
                      distribution.buckets.count == distribution.bounds.count + 1;
    if (!isWhole || !fits) {
        m_points.counts.resize(counts);
        m_points.bounds.resize(bounds);
        m_points.exemplars.resize(point.exemplarBegin);
        m_reader.reject(message, isWhole ? "its buckets do not fit their bounds" : "it is damaged");
        return;
    }
    if (isDistribution) {
        point.distribution = static_cast<std::uint32_t>(m_points.distributions.size());
        m_points.distributions.push_back(distribution);
    }
    point.exemplarCount = static_cast<std::uint32_t>(m_points.exemplars.size()) - point.exemplarBegin;
    point.metric = MetricId(m_batch.metrics.size() - 1);
    point.context = m_reader.context(message, layout.attributes);
    m_points.rows.push_back(point);
    m_reader.accept();
}

bool MetricsDecoder::readNumber(PointRole role, const WireField &field, MetricPoint &point)
{
    const bool isFixed = field.type == WireType::Fixed64;
    switch (role) {
    case PointRole::Start:
        point.startNs = field.number64;
        return isFixed;
    case PointRole::Time:
        point.timeNs = field.number64;
        return isFixed;
    case PointRole::Double:
        point.value = Number::of(realOf(field));
        return isFixed;
    case PointRole::Int:
        point.value = Number::of(static_cast<std::int64_t>(field.number64));
        return isFixed;
    case PointRole::Exemplar:
        return field.isBytes() && addExemplar(field.bytes);
    case PointRole::Attributes:
        return field.isBytes(); // read with its context
    case PointRole::Flags:
        point.flags = static_cast<std::uint32_t>(field.number64);
        return field.isVarint();
    default:
        m_reader.countUnknown();
        return true;
    }
}

bool MetricsDecoder::readDistribution(PointRole role, const WireField &field, Distribution &distribution)
{
    const bool isFixed = field.type == WireType::Fixed64;
    const auto read = [&](double Distribution::*member, std::uint32_t flag) {
        distribution.*member = realOf(field);
        distribution.flags |= flag;
        return isFixed;
    };
    switch (role) {
    case PointRole::Count:
        distribution.count = field.number64;
        return isFixed;
    case PointRole::Sum:
        return read(&Distribution::sum, kHasSum);
    case PointRole::Min:
        return read(&Distribution::min, kHasMin);
    case PointRole::Max:
        return read(&Distribution::max, kHasMax);
    case PointRole::ZeroThreshold:
        return read(&Distribution::zeroThreshold, 0);
    case PointRole::ZeroCount:
        distribution.zeroCount = field.number64;
        return isFixed;
    case PointRole::Scale:
        distribution.scale = static_cast<std::int32_t>(fromZigzag(field.number64));
        return field.isVarint();
    case PointRole::Counts:
        return readCounts(field, distribution.buckets);
    case PointRole::Bounds: {
        if (distribution.bounds.count == 0)
            distribution.bounds.begin = static_cast<std::uint32_t>(m_points.bounds.size());
        const bool isWhole = forEachFixed64(field, [&](std::uint64_t bits) {
            m_points.bounds.push_back(std::bit_cast<double>(bits));
            ++distribution.bounds.count;
        });
        return isWhole;
    }
    case PointRole::Positive:
        return field.isBytes() && readBuckets(field.bytes, distribution.buckets, distribution.offset);
    case PointRole::Negative:
        return field.isBytes() &&
               readBuckets(field.bytes, distribution.negativeBuckets, distribution.negativeOffset);
    case PointRole::Quantile:
        return field.isBytes() && addQuantile(field.bytes, distribution);
    default:
        return false;
    }
}

bool MetricsDecoder::readCounts(const WireField &field, Run &run)
{
    if (run.count == 0)
        run.begin = static_cast<std::uint32_t>(m_points.counts.size());
    return forEachFixed64(field, [&](std::uint64_t count) {
        m_points.counts.push_back(count);
        ++run.count;
    });
}

bool MetricsDecoder::readBuckets(Bytes message, Run &run, std::int32_t &offset)
{
    run = {static_cast<std::uint32_t>(m_points.counts.size()), 0};
    bool isWhole = true;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        if (field.number == static_cast<std::uint32_t>(BucketsField::Offset) && field.isVarint())
            offset = static_cast<std::int32_t>(fromZigzag(field.number64));
        else if (field.number == static_cast<std::uint32_t>(BucketsField::Counts))
            isWhole &= forEachVarint(field, [&](std::uint64_t count) {
                m_points.counts.push_back(count);
                ++run.count;
            });
        else
            m_reader.countUnknown();
    }
    return isWhole && reader.isOk();
}

bool MetricsDecoder::addQuantile(Bytes message, Distribution &distribution)
{
    std::array<double, 2> pair{};
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        if (field.number == static_cast<std::uint32_t>(QuantileField::Quantile))
            pair[0] = realOf(field);
        else if (field.number == static_cast<std::uint32_t>(QuantileField::Value))
            pair[1] = realOf(field);
        else
            m_reader.countUnknown();
    }
    if (distribution.bounds.count == 0)
        distribution.bounds.begin = static_cast<std::uint32_t>(m_points.bounds.size());
    m_points.bounds.insert(m_points.bounds.end(), pair.begin(), pair.end());
    distribution.bounds.count += 2;
    return reader.isOk();
}

bool MetricsDecoder::addExemplar(Bytes message)
{
    Exemplar exemplar;
    Bytes trace;
    Bytes span;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        switch (static_cast<ExemplarField>(field.number)) {
        case ExemplarField::Time:
            exemplar.timeNs = field.number64;
            break;
        case ExemplarField::Double:
            exemplar.value = Number::of(realOf(field));
            break;
        case ExemplarField::Int:
            exemplar.value = Number::of(static_cast<std::int64_t>(field.number64));
            break;
        case ExemplarField::SpanId:
            span = field.bytes;
            break;
        case ExemplarField::TraceId:
            trace = field.bytes;
            break;
        case ExemplarField::Attributes:
            break;
        default:
            m_reader.countUnknown();
        }
    }
    exemplar.link = m_reader.link(trace, span);
    exemplar.attributes = m_reader.attributes(message, static_cast<std::uint32_t>(ExemplarField::Attributes));
    m_points.exemplars.push_back(exemplar);
    return reader.isOk();
}

} // namespace

RecordCounts decodeMetrics(Bytes message, Batch &batch)
{
    return MetricsDecoder(message, batch).run();
}

} // namespace hearth::otlp
