#include "ingest/formats/firefox_records.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

namespace hearth {

namespace {

std::string nameOfColumn(std::string_view name)
{
    return std::string(name);
}

/// What a marker says beside its name; lists and objects in it are counted.
AttributeSetId readData(JsonStream &json, ProfileBuilder &builder)
{
    std::vector<Attribute> attributes;
    json.forEachMember([&](std::string_view key) {
        switch (json.kind()) {
        case JsonStream::Kind::String: {
            const std::string name(key);
            attributes.push_back(builder.attribute(name, json.string()));
            break;
        }
        case JsonStream::Kind::Number:
            if (const auto number = json.number())
                attributes.push_back(builder.numberAttribute(key, *number));
            break;
        case JsonStream::Kind::True:
            attributes.push_back(builder.attribute(key, std::string_view("true")));
            break;
        case JsonStream::Kind::Object:
        case JsonStream::Kind::Array:
            builder.losses().add(Loss::UnknownFields);
            break;
        default:
            break;
        }
    });
    return builder.attributes(attributes);
}

} // namespace

std::int64_t FirefoxClock::timeNs(double ms) const
{
    constexpr double kLimit = 9.2e18;
    const double ns = (startMs + ms) * 1e6;
    return std::isfinite(ns) ? static_cast<std::int64_t>(std::clamp(ns, 0.0, kLimit)) : 0;
}

std::int64_t readFirefoxId(JsonStream &json)
{
    if (json.kind() != JsonStream::Kind::String)
        return json.integer().value_or(0);
    return std::strtoll(std::string(json.string()).c_str(), nullptr, 10);
}

void FirefoxMarkers::read(JsonStream &json, ProfileBuilder &builder)
{
    const auto integer = [&] { return json.integer().value_or(FirefoxTables::kNull); };
    readFirefoxTable(
        json, nameOfColumn,
        [&](std::string_view column) {
            if (column == "name")
                names.push_back(integer());
            else if (column == "category")
                categories.push_back(integer());
            else if (column == "phase")
                phases.push_back(integer());
            else if (column == "startTime" || column == "time")
                starts.push_back(json.number().value_or(0));
            else if (column == "endTime")
                ends.push_back(json.number().value_or(0));
            else if (column == "data")
                data.push_back(readData(json, builder));
        },
        [&](std::string_view column) {
            if (column == "data")
                data.emplace_back();
        });
}

void FirefoxCounter::read(JsonStream &json)
{
    const auto readTable = [&] {
        readFirefoxTable(
            json, nameOfColumn,
            [&](std::string_view column) {
                if (column == "time")
                    times.push_back(json.number().value_or(0));
                else if (column == "timeDeltas")
                    deltas.push_back(json.number().value_or(0));
                else if (column == "count")
                    counts.push_back(json.number().value_or(0));
            },
            [](std::string_view) {});
    };
    json.forEachMember([&](std::string_view key) {
        if (key == "name")
            name = json.string();
        else if (key == "category")
            category = json.string();
        else if (key == "pid")
            pid = readFirefoxId(json);
        else if (key == "samples")
            readTable();
    });
}

/// Intervals become spans, instants log records.
void FirefoxRecords::add(const FirefoxMarkers &markers, const FirefoxTables &tables,
                         std::span<const Attribute> owner)
{
    ++m_thread;
    std::map<std::uint32_t, std::vector<std::size_t>> open; // starts by name
    for (std::size_t row = 0; row < markers.names.size(); ++row) {
        const StringId name = tables.string(markers.names[row]);
        const ContextId context = contextOf(markers, row, owner);
        const std::int64_t phase = row < markers.phases.size() ? markers.phases[row]
                                   : row < markers.ends.size() ? 1
                                                               : 0;
        std::vector<std::size_t> &starts = open[name.value];
        if (phase == 1) {
            addSpan(name, context, timeOf(markers.starts, row), timeOf(markers.ends, row));
        } else if (phase == 2) {
            starts.push_back(row);
        } else if (phase == 3 && !starts.empty()) {
            addSpan(name, context, timeOf(markers.starts, starts.back()), timeOf(markers.ends, row));
            starts.pop_back();
        } else if (phase == 3) {
            m_builder.losses().add(Loss::MalformedRecords, "a marker ends that has not begun");
        } else {
            addLog(name, context, timeOf(markers.starts, row));
        }
    }
    for (const auto &[name, starts] : open)
        m_builder.losses().add(Loss::MalformedRecords, starts.size()); // they have no end
}

ContextId FirefoxRecords::contextOf(const FirefoxMarkers &markers, std::size_t row,
                                    std::span<const Attribute> owner)
{
    std::vector<Attribute> resource(owner.begin(), owner.end());
    const std::int64_t category = FirefoxTables::at(markers.categories, static_cast<std::int64_t>(row));
    if (category >= 0 && static_cast<std::size_t>(category) < m_categories.size())
        resource.push_back(m_builder.attribute("category", m_categories[static_cast<std::size_t>(category)]));
    return m_builder.context(m_builder.attributes(resource),
                             row < markers.data.size() ? markers.data[row] : AttributeSetId());
}

void FirefoxRecords::addLog(StringId name, ContextId context, std::int64_t time)
{
    LogRecord record;
    record.timeNs = static_cast<std::uint64_t>(time);
    record.eventName = name;
    record.body.bits = name.value;
    record.context = context;
    m_builder.batch().logs.rows.push_back(record);
}

/// Markers overlap as they like, so none is taken for a part of another.
void FirefoxRecords::addSpan(StringId name, ContextId context, std::int64_t start, std::int64_t end)
{
    Link id;
    const std::uint64_t number = ++m_spans;
    std::memcpy(id.trace.data(), &m_thread, sizeof m_thread);
    std::memcpy(id.span.data(), &number, sizeof number);
    Span span;
    span.startNs = static_cast<std::uint64_t>(start);
    span.endNs = static_cast<std::uint64_t>(std::max(start, end));
    span.name = name;
    span.id = m_builder.addLink(id);
    span.context = context;
    m_builder.batch().spans.rows.push_back(span);
}

/// What a counter counts are changes.
void FirefoxRecords::add(const FirefoxCounter &counter)
{
    Batch &batch = m_builder.batch();
    Metric metric;
    metric.name =
        m_builder.text(counter.category.empty() ? counter.name : counter.category + '.' + counter.name);
    metric.kind = MetricKind::Sum;
    metric.temporality = Temporality::Delta;
    const MetricId id(batch.metrics.size());
    batch.metrics.push_back(metric);
    const ContextId context = m_builder.context(
        m_builder.attributes({m_builder.attribute("process.pid", counter.pid)}), AttributeSetId());
    double last = 0;
    for (std::size_t row = 0; row < counter.counts.size(); ++row) {
        if (row < counter.deltas.size())
            last += counter.deltas[row];
        MetricPoint point;
        point.timeNs = static_cast<std::uint64_t>(
            m_clock.timeNs(row < counter.times.size() ? counter.times[row] : last));
        point.value = Number::of(counter.counts[row]);
        point.metric = id;
        point.context = context;
        batch.points.rows.push_back(point);
    }
}

} // namespace hearth
