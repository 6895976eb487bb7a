#include "ingest/otlp/json/schema.h"

#include <array>

namespace hearth::otlp {

namespace schema {

namespace {

using K = FieldKind;

constexpr std::array kKeyValueFields{scalar("key", 1, K::String), message("value", 2, kAnyValue),
                                     scalar("keyStrindex", 3, K::Int32)};
constexpr std::array kListFields{many(message("values", 1, kAnyValue))};
constexpr Schema kList{"ArrayValue", kListFields};
constexpr std::array kMapFields{many(message("values", 1, kKeyValue))};
constexpr Schema kMap{"KeyValueList", kMapFields};
constexpr std::array kAnyValueFields{
    scalar("stringValue", 1, K::String), scalar("boolValue", 2, K::Bool),
    scalar("intValue", 3, K::Int64),     scalar("doubleValue", 4, K::Double),
    message("arrayValue", 5, kList),     message("kvlistValue", 6, kMap),
    scalar("bytesValue", 7, K::Bytes),   scalar("stringValueStrindex", 8, K::Int32)};

constexpr std::array kEntityFields{scalar("schemaUrl", 1, K::String), scalar("type", 2, K::String),
                                   many(scalar("idKeys", 3, K::String)),
                                   many(scalar("descriptionKeys", 4, K::String))};
constexpr Schema kEntity{"EntityRef", kEntityFields};
constexpr std::array kResourceFields{many(message("attributes", 1, kKeyValue)),
                                     scalar("droppedAttributesCount", 2, K::Int32),
                                     many(message("entityRefs", 3, kEntity))};
constexpr std::array kScopeFields{scalar("name", 1, K::String), scalar("version", 2, K::String),
                                  many(message("attributes", 3, kKeyValue)),
                                  scalar("droppedAttributesCount", 4, K::Int32)};

// Traces

constexpr std::array<std::string_view, 6> kSpanKinds{"UNSPECIFIED", "INTERNAL", "SERVER",
                                                     "CLIENT",      "PRODUCER", "CONSUMER"};
constexpr std::array<std::string_view, 3> kStatusCodes{"UNSET", "OK", "ERROR"};
constexpr std::array kEventFields{scalar("timeUnixNano", 1, K::Fixed64), scalar("name", 2, K::String),
                                  many(message("attributes", 3, kKeyValue)),
                                  scalar("droppedAttributesCount", 4, K::Int32)};
constexpr Schema kEvent{"Event", kEventFields};
constexpr std::array kSpanLinkFields{scalar("traceId", 1, K::Id),
                                     scalar("spanId", 2, K::Id),
                                     scalar("traceState", 3, K::String),
                                     many(message("attributes", 4, kKeyValue)),
                                     scalar("droppedAttributesCount", 5, K::Int32),
                                     scalar("flags", 6, K::Fixed32)};
constexpr Schema kSpanLink{"SpanLink", kSpanLinkFields};
constexpr std::array kStatusFields{scalar("message", 2, K::String), enumeration("code", 3, kStatusCodes)};
constexpr Schema kStatus{"Status", kStatusFields};
constexpr std::array kSpanFields{scalar("traceId", 1, K::Id),
                                 scalar("spanId", 2, K::Id),
                                 scalar("traceState", 3, K::String),
                                 scalar("parentSpanId", 4, K::Id),
                                 scalar("name", 5, K::String),
                                 enumeration("kind", 6, kSpanKinds),
                                 scalar("startTimeUnixNano", 7, K::Fixed64),
                                 scalar("endTimeUnixNano", 8, K::Fixed64),
                                 many(message("attributes", 9, kKeyValue)),
                                 scalar("droppedAttributesCount", 10, K::Int32),
                                 many(message("events", 11, kEvent)),
                                 scalar("droppedEventsCount", 12, K::Int32),
                                 many(message("links", 13, kSpanLink)),
                                 scalar("droppedLinksCount", 14, K::Int32),
                                 message("status", 15, kStatus),
                                 scalar("flags", 16, K::Fixed32)};
constexpr Schema kSpan{"Span", kSpanFields};

// Logs

constexpr std::array<std::string_view, 25> kSeverities{
    "UNSPECIFIED", "TRACE",  "TRACE2", "TRACE3", "TRACE4", "DEBUG",  "DEBUG2", "DEBUG3", "DEBUG4",
    "INFO",        "INFO2",  "INFO3",  "INFO4",  "WARN",   "WARN2",  "WARN3",  "WARN4",  "ERROR",
    "ERROR2",      "ERROR3", "ERROR4", "FATAL",  "FATAL2", "FATAL3", "FATAL4"};
constexpr std::array kLogFields{scalar("timeUnixNano", 1, K::Fixed64),
                                enumeration("severityNumber", 2, kSeverities),
                                scalar("severityText", 3, K::String),
                                message("body", 5, kAnyValue),
                                many(message("attributes", 6, kKeyValue)),
                                scalar("droppedAttributesCount", 7, K::Int32),
                                scalar("flags", 8, K::Fixed32),
                                scalar("traceId", 9, K::Id),
                                scalar("spanId", 10, K::Id),
                                scalar("observedTimeUnixNano", 11, K::Fixed64),
                                scalar("eventName", 12, K::String)};
constexpr Schema kLog{"LogRecord", kLogFields};

// Metrics

constexpr std::array<std::string_view, 3> kTemporalities{"UNSPECIFIED", "DELTA", "CUMULATIVE"};
constexpr std::array kExemplarFields{scalar("timeUnixNano", 2, K::Fixed64),
                                     scalar("asDouble", 3, K::Double),
                                     scalar("spanId", 4, K::Id),
                                     scalar("traceId", 5, K::Id),
                                     scalar("asInt", 6, K::Sfixed64),
                                     many(message("filteredAttributes", 7, kKeyValue))};
constexpr Schema kExemplar{"Exemplar", kExemplarFields};
constexpr std::array kNumberPointFields{scalar("startTimeUnixNano", 2, K::Fixed64),
                                        scalar("timeUnixNano", 3, K::Fixed64),
                                        scalar("asDouble", 4, K::Double),
                                        many(message("exemplars", 5, kExemplar)),
                                        scalar("asInt", 6, K::Sfixed64),
                                        many(message("attributes", 7, kKeyValue)),
                                        scalar("flags", 8, K::Int32)};
constexpr Schema kNumberPoint{"NumberDataPoint", kNumberPointFields};
constexpr std::array kHistogramPointFields{scalar("startTimeUnixNano", 2, K::Fixed64),
                                           scalar("timeUnixNano", 3, K::Fixed64),
                                           scalar("count", 4, K::Fixed64),
                                           scalar("sum", 5, K::Double),
                                           many(scalar("bucketCounts", 6, K::Fixed64)),
                                           many(scalar("explicitBounds", 7, K::Double)),
                                           many(message("exemplars", 8, kExemplar)),
                                           many(message("attributes", 9, kKeyValue)),
                                           scalar("flags", 10, K::Int32),
                                           scalar("min", 11, K::Double),
                                           scalar("max", 12, K::Double)};
constexpr Schema kHistogramPoint{"HistogramDataPoint", kHistogramPointFields};
constexpr std::array kBucketsFields{scalar("offset", 1, K::Sint32),
                                    many(scalar("bucketCounts", 2, K::Uint64))};
constexpr Schema kBuckets{"Buckets", kBucketsFields};
constexpr std::array kExponentialPointFields{many(message("attributes", 1, kKeyValue)),
                                             scalar("startTimeUnixNano", 2, K::Fixed64),
                                             scalar("timeUnixNano", 3, K::Fixed64),
                                             scalar("count", 4, K::Fixed64),
                                             scalar("sum", 5, K::Double),
                                             scalar("scale", 6, K::Sint32),
                                             scalar("zeroCount", 7, K::Fixed64),
                                             message("positive", 8, kBuckets),
                                             message("negative", 9, kBuckets),
                                             scalar("flags", 10, K::Int32),
                                             many(message("exemplars", 11, kExemplar)),
                                             scalar("min", 12, K::Double),
                                             scalar("max", 13, K::Double),
                                             scalar("zeroThreshold", 14, K::Double)};
constexpr Schema kExponentialPoint{"ExponentialHistogramDataPoint", kExponentialPointFields};
constexpr std::array kQuantileFields{scalar("quantile", 1, K::Double), scalar("value", 2, K::Double)};
constexpr Schema kQuantile{"ValueAtQuantile", kQuantileFields};
constexpr std::array kSummaryPointFields{scalar("startTimeUnixNano", 2, K::Fixed64),
                                         scalar("timeUnixNano", 3, K::Fixed64),
                                         scalar("count", 4, K::Fixed64),
                                         scalar("sum", 5, K::Double),
                                         many(message("quantileValues", 6, kQuantile)),
                                         many(message("attributes", 7, kKeyValue)),
                                         scalar("flags", 8, K::Int32)};
constexpr Schema kSummaryPoint{"SummaryDataPoint", kSummaryPointFields};
constexpr std::array kGaugeFields{many(message("dataPoints", 1, kNumberPoint))};
constexpr Schema kGauge{"Gauge", kGaugeFields};
constexpr std::array kSumFields{many(message("dataPoints", 1, kNumberPoint)),
                                enumeration("aggregationTemporality", 2, kTemporalities),
                                scalar("isMonotonic", 3, K::Bool)};
constexpr Schema kSum{"Sum", kSumFields};
constexpr std::array kHistogramFields{many(message("dataPoints", 1, kHistogramPoint)),
                                      enumeration("aggregationTemporality", 2, kTemporalities)};
constexpr Schema kHistogram{"Histogram", kHistogramFields};
constexpr std::array kExponentialFields{many(message("dataPoints", 1, kExponentialPoint)),
                                        enumeration("aggregationTemporality", 2, kTemporalities)};
constexpr Schema kExponential{"ExponentialHistogram", kExponentialFields};
constexpr std::array kSummaryFields{many(message("dataPoints", 1, kSummaryPoint))};
constexpr Schema kSummary{"Summary", kSummaryFields};
constexpr std::array kMetricFields{scalar("name", 1, K::String),
                                   scalar("description", 2, K::String),
                                   scalar("unit", 3, K::String),
                                   message("gauge", 5, kGauge),
                                   message("sum", 7, kSum),
                                   message("histogram", 9, kHistogram),
                                   message("exponentialHistogram", 10, kExponential),
                                   message("summary", 11, kSummary),
                                   many(message("metadata", 12, kKeyValue))};
constexpr Schema kMetric{"Metric", kMetricFields};

// Envelopes

constexpr std::array kScopeSpansFields{message("scope", 1, kScope), many(message("spans", 2, kSpan)),
                                       scalar("schemaUrl", 3, K::String)};
constexpr Schema kScopeSpans{"ScopeSpans", kScopeSpansFields};
constexpr std::array kResourceSpansFields{message("resource", 1, kResource),
                                          many(message("scopeSpans", 2, kScopeSpans)),
                                          scalar("schemaUrl", 3, K::String)};
constexpr Schema kResourceSpans{"ResourceSpans", kResourceSpansFields};
constexpr std::array kTracesFields{many(message("resourceSpans", 1, kResourceSpans))};
constexpr Schema kTraces{"TracesData", kTracesFields};

constexpr std::array kScopeLogsFields{message("scope", 1, kScope), many(message("logRecords", 2, kLog)),
                                      scalar("schemaUrl", 3, K::String)};
constexpr Schema kScopeLogs{"ScopeLogs", kScopeLogsFields};
constexpr std::array kResourceLogsFields{message("resource", 1, kResource),
                                         many(message("scopeLogs", 2, kScopeLogs)),
                                         scalar("schemaUrl", 3, K::String)};
constexpr Schema kResourceLogs{"ResourceLogs", kResourceLogsFields};
constexpr std::array kLogsFields{many(message("resourceLogs", 1, kResourceLogs))};
constexpr Schema kLogs{"LogsData", kLogsFields};

constexpr std::array kScopeMetricsFields{message("scope", 1, kScope), many(message("metrics", 2, kMetric)),
                                         scalar("schemaUrl", 3, K::String)};
constexpr Schema kScopeMetrics{"ScopeMetrics", kScopeMetricsFields};
constexpr std::array kResourceMetricsFields{message("resource", 1, kResource),
                                            many(message("scopeMetrics", 2, kScopeMetrics)),
                                            scalar("schemaUrl", 3, K::String)};
constexpr Schema kResourceMetrics{"ResourceMetrics", kResourceMetricsFields};
constexpr std::array kMetricsFields{many(message("resourceMetrics", 1, kResourceMetrics))};
constexpr Schema kMetrics{"MetricsData", kMetricsFields};

} // namespace

constinit const Schema kResource{"Resource", kResourceFields};
constinit const Schema kScope{"InstrumentationScope", kScopeFields};
constinit const Schema kKeyValue{"KeyValue", kKeyValueFields};
constinit const Schema kAnyValue{"AnyValue", kAnyValueFields};

} // namespace schema

const Schema &schemaOf(Signal signal, Generation generation)
{
    switch (signal) {
    case Signal::Traces:
        return schema::kTraces;
    case Signal::Logs:
        return schema::kLogs;
    case Signal::Metrics:
        return schema::kMetrics;
    case Signal::Profiles:
        break;
    }
    return schema::profilesOf(generation);
}

} // namespace hearth::otlp
