#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "model/lens/units.h"
#include "model/views/series_choice.h"
#include "model/views/stack_weights.h"
#include "model/views/time_range.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <map>
#include <set>

namespace hearth::cli {

namespace {

constexpr auto kOptions = joined(std::array{Option{.name = "json", .help = "as one JSON object"},
                                            Option{.name = "csv", .help = "as name,value lines"}},
                                 kInputOptions);

struct SeriesInfo {
    SeriesChoice choice;
    Sum total;
    std::int64_t period = 0;
    std::string periodType;
};

/// A key with how many values it takes.
struct AttributeInfo {
    std::string key;
    std::size_t values = 0;
};

/// What there is to say about a data set.
struct Info {
    std::string format;
    std::string generation;
    std::vector<SeriesInfo> series;
    std::string defaultSeries;
    std::vector<AttributeInfo> attributes;
    std::int64_t from = 0; ///< of the samples, or of the profiles where samples have no times; 0: not known
    std::int64_t to = 0;
};

std::string joinedTexts(const Snapshot &snapshot, std::string Origin::*text)
{
    std::set<std::string> texts;
    for (const Origin &origin : snapshot.origins)
        if (!(origin.*text).empty())
            texts.insert(origin.*text);
    std::string all;
    for (const std::string &one : texts)
        all += (all.empty() ? "" : ", ") + one;
    return all;
}

std::vector<SeriesInfo> seriesOf(const Snapshot &snapshot)
{
    std::vector<SeriesInfo> all;
    for (const SeriesChoice &choice : offeredSeries(snapshot)) {
        SeriesInfo info{choice, seriesTotal(snapshot, choice), 0, {}};
        for (const SampleTable &table : snapshot.tables)
            if (std::ranges::find(table.series, choice.stored) != table.series.end() && info.period == 0) {
                info.period = table.period;
                info.periodType = snapshot.text(table.periodType);
                if (const std::string_view unit = snapshot.text(table.periodUnit); !unit.empty())
                    info.periodType += '/' + std::string(unit);
            }
        all.push_back(std::move(info));
    }
    return all;
}

std::vector<AttributeInfo> attributesOf(const Snapshot &snapshot)
{
    std::map<std::string, std::size_t> counts;
    for (const Attribute &attribute : snapshot.attributes)
        ++counts[std::string(snapshot.text(attribute.key))];
    std::vector<AttributeInfo> all;
    for (const auto &[key, count] : counts)
        all.push_back({key, count});
    return all;
}

Info collect(const Snapshot &snapshot)
{
    Info info;
    info.format = joinedTexts(snapshot, &Origin::format);
    info.generation = joinedTexts(snapshot, &Origin::generation);
    info.series = seriesOf(snapshot);
    if (const auto choice = chooseSeries(snapshot, {}))
        info.defaultSeries = choice->name();
    info.attributes = attributesOf(snapshot);
    if (const auto span = timeSpanOf(snapshot)) {
        info.from = span->begin;
        info.to = span->end;
        return info;
    }
    const auto extend = [&](std::uint64_t begin, std::uint64_t end) {
        constexpr std::uint64_t kLatest = std::numeric_limits<std::int64_t>::max();
        if (begin == 0 || begin > kLatest || end > kLatest)
            return;
        const auto from = static_cast<std::int64_t>(begin);
        info.from = info.from == 0 ? from : std::min(info.from, from);
        info.to = std::max({info.to, from, static_cast<std::int64_t>(end)});
    };
    snapshot.spans.forEach([&](const SpanChunk &, const Span &span) { extend(span.startNs, span.endNs); });
    snapshot.logs.forEach([&](const LogChunk &, const LogRecord &record) {
        extend(record.effectiveTimeNs(), record.effectiveTimeNs());
    });
    snapshot.points.forEach(
        [&](const MetricChunk &, const MetricPoint &point) { extend(point.timeNs, point.timeNs); });
    for (const Origin &origin : snapshot.origins) {
        if (origin.timeNs == 0)
            continue;
        info.from = info.from == 0 ? origin.timeNs : std::min(info.from, origin.timeNs);
        std::int64_t end = 0;
        if (!__builtin_add_overflow(origin.timeNs, origin.durationNs, &end))
            info.to = std::max(info.to, end);
    }
    return info;
}

/// The counts of what a data set is made of, by the names that reports use.
std::vector<std::pair<std::string_view, std::uint64_t>> sizesOf(const Snapshot &snapshot)
{
    return {{"samples", snapshot.sampleCount()},    {"stacks", snapshot.stacks.size() - 1},
            {"frames", snapshot.frames.size()},     {"functions", snapshot.functions.size()},
            {"binaries", snapshot.binaries.size()}, {"contexts", snapshot.contexts.size()},
            {"links", snapshot.links.size() - 1},   {"spans", snapshot.spans.rows},
            {"logs", snapshot.logs.rows},           {"metrics", snapshot.metrics.size()},
            {"points", snapshot.points.rows}};
}

std::string jsonReport(const Snapshot &snapshot, const Info &info)
{
    Json json;
    json.beginObject().key("format").text(info.format).key("generation").text(info.generation);
    json.key("series").beginArray();
    for (const SeriesInfo &series : info.series) {
        json.beginObject().key("type").text(series.choice.type).key("unit").text(series.choice.unit);
        json.key("total").number(series.total.value);
        json.key("period").number(series.period).key("periodType").text(series.periodType).endObject();
    }
    json.endArray().key("defaultSeries").text(info.defaultSeries);
    for (const auto &[name, count] : sizesOf(snapshot))
        json.key(name).count(count);
    json.key("time").beginObject().key("from").number(info.from).key("to").number(info.to).endObject();
    json.key("attributes").beginObject();
    for (const AttributeInfo &attribute : info.attributes)
        json.key(attribute.key).count(attribute.values);
    json.endObject().key("comments").beginArray();
    for (const Origin &origin : snapshot.origins)
        for (const std::string &comment : origin.comments)
            json.text(comment);
    json.endArray().key("findings").beginArray();
    for (const Origin &origin : snapshot.origins)
        for (const std::string &finding : origin.findings)
            json.text(finding);
    json.endArray().key("losses").beginObject();
    for (std::size_t kind = 0; kind < kLossKinds; ++kind)
        if (const std::uint64_t count = snapshot.losses.count(static_cast<Loss>(kind)); count > 0)
            json.key(describe(static_cast<Loss>(kind)).name).count(count);
    json.endObject().key("memory").beginObject().key("samples").count(snapshot.memory.samples);
    json.key("dictionary").count(snapshot.memory.dictionary).endObject().endObject();
    return json.str() + '\n';
}

std::string printTime(std::int64_t ns)
{
    const std::time_t seconds = ns / 1'000'000'000;
    std::tm utc{};
    std::array<char, 40> text{};
    if (::gmtime_r(&seconds, &utc) == nullptr ||
        std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &utc) == 0)
        return std::to_string(ns) + " ns since 1970";
    return text.data();
}

/// The report as lines of a name and a value.
std::vector<std::pair<std::string, std::string>> linesOf(const Snapshot &snapshot, const Info &info)
{
    std::vector<std::pair<std::string, std::string>> lines;
    lines.emplace_back("format", info.format + (info.generation.empty() ? "" : ' ' + info.generation));
    for (const SeriesInfo &series : info.series) {
        std::string value = series.choice.name() + ": " + humanValue(series.total.value, series.choice.unit);
        if (series.period != 0)
            value += ", one per " + std::to_string(series.period) + ' ' + series.periodType;
        if (series.choice.name() == info.defaultSeries)
            value += " (default)";
        lines.emplace_back("series", value);
    }
    for (const auto &[name, count] : sizesOf(snapshot))
        if (count > 0 || name == "samples")
            lines.emplace_back(name, std::to_string(count));
    if (info.from != 0)
        lines.emplace_back("time",
                           printTime(info.from) +
                               (info.to > info.from ? ", " + humanValue(info.to - info.from, "ns") : ""));
    for (const AttributeInfo &attribute : info.attributes)
        lines.emplace_back("attribute", attribute.key + ": " + std::to_string(attribute.values) +
                                            (attribute.values == 1 ? " value" : " values"));
    for (const Origin &origin : snapshot.origins) {
        for (const std::string &comment : origin.comments)
            lines.emplace_back("comment", comment);
        if (!origin.dropFrames.empty())
            lines.emplace_back("drops frames", origin.dropFrames);
        if (!origin.keepFrames.empty())
            lines.emplace_back("keeps frames", origin.keepFrames);
        if (!origin.docUrl.empty())
            lines.emplace_back("documentation", origin.docUrl);
    }
    for (const Origin &origin : snapshot.origins)
        for (const std::string &finding : origin.findings)
            lines.emplace_back("finding", finding);
    for (std::size_t kind = 0; kind < kLossKinds; ++kind)
        if (const std::uint64_t count = snapshot.losses.count(static_cast<Loss>(kind)); count > 0)
            lines.emplace_back("lost", std::to_string(count) + " × " +
                                           std::string(describe(static_cast<Loss>(kind)).explanation));
    lines.emplace_back("memory", humanValue(static_cast<std::int64_t>(snapshot.memory.total()), "bytes"));
    return lines;
}

Exit runInfo(const Arguments &arguments)
{
    Exit status = Exit::Done;
    const auto snapshot = openFiles(arguments, status, Opening::Findings);
    if (!snapshot)
        return status;
    const Info info = collect(*snapshot);
    if (arguments.has("json")) {
        print(jsonReport(*snapshot, info));
        return status;
    }
    const bool isCsv = arguments.has("csv");
    std::string text = isCsv ? "name,value\n" : "";
    for (const auto &[name, value] : linesOf(*snapshot, info))
        text += isCsv ? csvField(name) + ',' + csvField(value) + '\n'
                      : padded(name, 15) + printable(value) + '\n';
    print(text);
    return status;
}

} // namespace

const Command kInfo{
    .name = "info",
    .usage = "FILE… [--json]",
    .summary = "what a file is: format, series, counts, times, attributes, losses",
    .examples = "  hearth info cpu.pb.gz\n"
                "  hearth info --json heap.pb.gz | jq .series\n",
    .options = kOptions,
    .run = runInfo,
};

} // namespace hearth::cli
