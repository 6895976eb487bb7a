#pragma once

#include "model/store/ids.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hearth {

enum class MetricKind : std::uint8_t { Gauge, Sum, Histogram, ExponentialHistogram, Summary };
enum class Temporality : std::uint8_t { Unspecified, Delta, Cumulative };

/// What is measured. Its points refer to it.
struct Metric {
    StringId name;
    StringId description;
    StringId unit;
    AttributeSetId metadata;
    MetricKind kind = MetricKind::Gauge;
    Temporality temporality = Temporality::Unspecified;
    std::uint8_t isMonotonic = 0; ///< of a sum: it never falls
    std::uint8_t reserved = 0;

    bool operator==(const Metric &) const = default;
};
static_assert(sizeof(Metric) == 20);

enum class NumberType : std::uint32_t { None, Int, Double };

/// A measured number: whole or not, or missing.
struct Number {
    std::uint64_t bits = 0;
    NumberType type = NumberType::None;
    std::uint32_t reserved = 0;

    static Number of(double value) { return {std::bit_cast<std::uint64_t>(value), NumberType::Double}; }
    static Number of(std::int64_t value) { return {static_cast<std::uint64_t>(value), NumberType::Int}; }
    std::int64_t integer() const { return static_cast<std::int64_t>(bits); }
    double real() const
    {
        return type == NumberType::Int ? static_cast<double>(integer()) : std::bit_cast<double>(bits);
    }

    bool operator==(const Number &) const = default;
};

/// One measurement of a metric. Rows of its chunk hold what only some kinds have.
struct MetricPoint {
    std::uint64_t startNs = 0; ///< 0: not known
    std::uint64_t timeNs = 0;
    Number value; ///< of gauges and sums
    MetricId metric;
    ContextId context;                  ///< of resource and scope, and the point's own attributes
    std::uint32_t distribution = kNone; ///< of histograms and summaries, in its chunk
    std::uint32_t exemplarBegin = 0;    ///< in its chunk
    std::uint32_t exemplarCount = 0;
    std::uint32_t flags = 0; ///< bit 0: nothing was recorded

    static constexpr std::uint32_t kNone = 0xffffffffU;

    bool operator==(const MetricPoint &) const = default;
};
static_assert(sizeof(MetricPoint) == 56);

/// A run of a chunk's `counts` or `bounds`.
struct Run {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;

    bool operator==(const Run &) const = default;
};

enum DistributionFlags : std::uint32_t { kHasSum = 1, kHasMin = 2, kHasMax = 4 };

/// How measurements are spread.
///
/// Histogram: bucket i counts what is in (bounds[i-1], bounds[i]]. Exponential histogram: with
/// base = 2^(2^-scale), bucket i of `buckets` counts what is in (base^(offset+i), base^(offset+i+1)], those
/// of `negativeBuckets` the same of negative numbers, zeroCount what is nearer to 0 than the threshold.
/// Summary: `bounds` has pairs of a quantile and its value.
struct Distribution {
    std::uint64_t count = 0;
    double sum = 0;
    double min = 0;
    double max = 0;
    std::uint64_t zeroCount = 0;
    double zeroThreshold = 0;
    Run buckets;
    Run negativeBuckets;
    Run bounds;
    std::int32_t offset = 0;
    std::int32_t negativeOffset = 0;
    std::int32_t scale = 0;
    std::uint32_t flags = 0; ///< DistributionFlags: which of sum, min and max were sent

    bool operator==(const Distribution &) const = default;
};
static_assert(sizeof(Distribution) == 88);

/// One of the measurements that a point sums up, with the span that it was made in.
struct Exemplar {
    std::uint64_t timeNs = 0;
    Number value;
    LinkId link;
    AttributeSetId attributes; ///< those that the point itself lacks

    bool operator==(const Exemplar &) const = default;
};
static_assert(sizeof(Exemplar) == 32);

struct MetricChunk {
    std::vector<MetricPoint> rows;
    std::vector<Distribution> distributions;
    std::vector<std::uint64_t> counts; ///< of buckets
    std::vector<double> bounds;
    std::vector<Exemplar> exemplars;

    /// Appends a row of another chunk with all that belongs to it.
    void add(const MetricChunk &from, std::size_t row);
    std::size_t bytes() const;

    /// Calls `visit` with every id.
    template <class Visit>
    void forEachId(Visit visit)
    {
        for (MetricPoint &point : rows) {
            visit(point.metric);
            visit(point.context);
        }
        for (Exemplar &exemplar : exemplars) {
            visit(exemplar.link);
            visit(exemplar.attributes);
        }
    }
};

} // namespace hearth
