#pragma once

#include <cstdint>

// Field numbers of the records of traces, logs and metrics, as OTLP 1.x has them.

namespace hearth::otlp {

enum class SpanField : std::uint32_t {
    TraceId = 1,
    SpanId = 2,
    TraceState = 3,
    ParentSpanId = 4,
    Name = 5,
    Kind = 6,
    Start = 7,
    End = 8,
    Attributes = 9,
    DroppedAttributes = 10,
    Events = 11,
    DroppedEvents = 12,
    Links = 13,
    DroppedLinks = 14,
    Status = 15,
    Flags = 16
};
enum class EventField : std::uint32_t { Time = 1, Name = 2, Attributes = 3, DroppedAttributes = 4 };
enum class SpanLinkField : std::uint32_t {
    TraceId = 1,
    SpanId = 2,
    TraceState = 3,
    Attributes = 4,
    DroppedAttributes = 5,
    Flags = 6
};
enum class StatusField : std::uint32_t { Message = 2, Code = 3 };

enum class LogField : std::uint32_t {
    Time = 1,
    Severity = 2,
    SeverityText = 3,
    Body = 5,
    Attributes = 6,
    DroppedAttributes = 7,
    Flags = 8,
    TraceId = 9,
    SpanId = 10,
    ObservedTime = 11,
    EventName = 12
};

enum class MetricField : std::uint32_t {
    Name = 1,
    Description = 2,
    Unit = 3,
    Gauge = 5,
    Sum = 7,
    Histogram = 9,
    ExponentialHistogram = 10,
    Summary = 11,
    Metadata = 12
};
enum class DataField : std::uint32_t { Points = 1, Temporality = 2, IsMonotonic = 3 };
enum class NumberPointField : std::uint32_t {
    Start = 2,
    Time = 3,
    Double = 4,
    Exemplars = 5,
    Int = 6,
    Attributes = 7,
    Flags = 8
};
enum class HistogramPointField : std::uint32_t {
    Start = 2,
    Time = 3,
    Count = 4,
    Sum = 5,
    Counts = 6,
    Bounds = 7,
    Exemplars = 8,
    Attributes = 9,
    Flags = 10,
    Min = 11,
    Max = 12
};
enum class ExponentialPointField : std::uint32_t {
    Attributes = 1,
    Start = 2,
    Time = 3,
    Count = 4,
    Sum = 5,
    Scale = 6,
    ZeroCount = 7,
    Positive = 8,
    Negative = 9,
    Flags = 10,
    Exemplars = 11,
    Min = 12,
    Max = 13,
    ZeroThreshold = 14
};
enum class SummaryPointField : std::uint32_t {
    Start = 2,
    Time = 3,
    Count = 4,
    Sum = 5,
    Quantiles = 6,
    Attributes = 7,
    Flags = 8
};
enum class BucketsField : std::uint32_t { Offset = 1, Counts = 2 };
enum class QuantileField : std::uint32_t { Quantile = 1, Value = 2 };
enum class ExemplarField : std::uint32_t {
    Time = 2,
    Double = 3,
    SpanId = 4,
    TraceId = 5,
    Int = 6,
    Attributes = 7
};

} // namespace hearth::otlp
