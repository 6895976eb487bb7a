#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "app/cli/workspaces.h"
#include "model/lens/units.h"
#include "model/views/data_set_facts.h"

#include <ctime>

namespace hearth::cli {

namespace {

constexpr auto kOptions = joined(std::array{Option{.name = "json", .help = "as one JSON object"},
                                            Option{.name = "csv", .help = "as name,value lines"}},
                                 kInputOptions);

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

std::string jsonReport(const Snapshot &snapshot, const DataSetFacts &facts)
{
    Json json;
    json.beginObject().key("format").text(facts.format).key("generation").text(facts.generation);
    json.key("series").beginArray();
    for (const SeriesFacts &series : facts.series) {
        json.beginObject().key("type").text(series.choice.type).key("unit").text(series.choice.unit);
        json.key("total").number(series.total.value);
        json.key("period").number(series.period).key("periodType").text(series.periodType).endObject();
    }
    json.endArray().key("defaultSeries").text(facts.defaultSeries);
    for (const auto &[name, count] : sizesOf(snapshot))
        json.key(name).count(count);
    json.key("time").beginObject().key("from").number(facts.from).key("to").number(facts.to).endObject();
    json.key("attributes").beginObject();
    for (const AttributeFacts &attribute : facts.attributes)
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
std::vector<std::pair<std::string, std::string>> linesOf(const Snapshot &snapshot, const DataSetFacts &facts)
{
    std::vector<std::pair<std::string, std::string>> lines;
    lines.emplace_back("format", facts.format + (facts.generation.empty() ? "" : ' ' + facts.generation));
    for (const SeriesFacts &series : facts.series) {
        std::string value = series.choice.name() + ": " + humanValue(series.total.value, series.choice.unit);
        if (series.period != 0)
            value += ", one per " + std::to_string(series.period) + ' ' + series.periodType;
        if (series.choice.name() == facts.defaultSeries)
            value += " (default)";
        lines.emplace_back("series", value);
    }
    for (const auto &[name, count] : sizesOf(snapshot))
        if (count > 0 || name == "samples")
            lines.emplace_back(name, std::to_string(count));
    if (facts.from != 0)
        lines.emplace_back("time",
                           printTime(facts.from) +
                               (facts.to > facts.from ? ", " + humanValue(facts.to - facts.from, "ns") : ""));
    for (const AttributeFacts &attribute : facts.attributes)
        lines.emplace_back(
            "attribute",
            attribute.key + ": " +
                (attribute.values == 1 ? attribute.only : std::to_string(attribute.values) + " values"));
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
    if (hasWorkspace(arguments))
        return runWorkspaceInfo(arguments);
    Exit status = Exit::Done;
    const auto snapshot = openFiles(arguments, status, Opening::Findings);
    if (!snapshot)
        return status;
    const DataSetFacts facts = factsOf(*snapshot);
    if (arguments.has("json")) {
        print(jsonReport(*snapshot, facts));
        return status;
    }
    const bool isCsv = arguments.has("csv");
    std::string text = isCsv ? "name,value\n" : "";
    for (const auto &[name, value] : linesOf(*snapshot, facts))
        text += isCsv ? csvField(name) + ',' + csvField(value) + '\n'
                      : padded(name, 15) + printable(value) + '\n';
    print(text);
    return status;
}

} // namespace

const Command kInfo{
    .name = "info",
    .usage = "FILE… [--json]",
    .summary = "what a file is: format, series, counts, times, attributes, losses; what a workspace has",
    .examples = "  hearth info cpu.pb.gz\n"
                "  hearth info shop.hearth\n"
                "  hearth info --json heap.pb.gz | jq .series\n",
    .options = kOptions,
    .run = runInfo,
};

} // namespace hearth::cli
