#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "app/cli/trace_reports.h"
#include "model/lens/matcher.h"
#include "model/views/row_sort.h"
#include "model/views/service_names.h"

#include <algorithm>

namespace hearth::cli {

namespace {

constexpr std::array kOwnOptions{
    Option{.name = "function", .value = "RE", .help = "only spans that ran a function that matches"},
    Option{.name = "children", .value = "", .help = "what ran in the children of a span ran in it, too"},
    Option{.name = "groups", .value = "", .help = "one row per service and name, with quantiles"},
    Option{.name = "sort", .value = "COLUMN", .help = "duration (the default), start or samples"},
};
constexpr auto kOptions = joined(kOwnOptions, kReportOptions, kLensOptions, kInputOptions);

/// A span as reports show it.
struct SpanLine {
    std::string trace;
    std::string span;
    std::string parent; ///< empty for a root
    std::string_view name;
    std::string_view service;
    std::int64_t startNs;
    std::int64_t durationNs;
    bool isFailed;
    std::uint32_t samples;
};

SpanLine lineOf(const OpenedTraces &opened, ServiceNames &services, SpanRow row)
{
    const SpanTable &table = opened.table();
    const auto &links = opened.snapshot->links;
    const LinkId link = table.link(row);
    const LinkId parent = table.parentLink(row);
    return {traceText(links[link.value]),
            spanText(links[link.value]),
            parent == LinkId() ? std::string() : spanText(links[parent.value]),
            opened.text(table.name(row)),
            opened.text(services.of(table.context(row))),
            table.startNs(row),
            table.durationNs(row),
            (table.marks(row) & kSpanFailed) != 0,
            table.rowOf(link) == row ? opened.traces->study->weights.samples[link.value] : 0};
}

std::string jsonReport(const OpenedTraces &opened, std::span<const SpanLine> lines)
{
    Json json;
    json.beginObject();
    writeHead(json, opened.samples);
    json.key("rows").beginArray();
    for (const SpanLine &line : lines) {
        json.beginObject().key("trace").text(line.trace).key("span").text(line.span);
        json.key("parent").text(line.parent).key("name").text(line.name).key("service").text(line.service);
        json.key("start").number(line.startNs).key("duration").number(line.durationNs);
        json.key("error").boolean(line.isFailed).key("samples").count(line.samples).endObject();
    }
    json.endArray().endObject();
    return json.str() + '\n';
}

std::string csvReport(std::span<const SpanLine> lines)
{
    std::string text = "trace,span,parent,name,service,start,duration,error,samples\n";
    for (const SpanLine &line : lines)
        text += line.trace + ',' + line.span + ',' + line.parent + ',' + csvField(line.name) + ',' +
                csvField(line.service) + ',' + std::to_string(line.startNs) + ',' +
                std::to_string(line.durationNs) + ',' + (line.isFailed ? "true" : "false") + ',' +
                std::to_string(line.samples) + '\n';
    return text;
}

std::string textReport(std::span<const SpanLine> lines, std::size_t count, bool isFull)
{
    Table table({"trace", "span", "start", "duration", "samples", "error", "name"}, isFull);
    for (const SpanLine &line : lines)
        table.add({isFull ? line.trace : line.trace.substr(0, 16), line.span, timeText(line.startNs),
                   durationText(line.durationNs), std::to_string(line.samples), line.isFailed ? "error" : ""},
                  line.name, 0, line.service);
    std::string text = std::to_string(count) + (count == 1 ? " span" : " spans");
    if (lines.size() < count)
        text += "; the first " + std::to_string(lines.size());
    return text + '\n' + table.str();
}

std::string jsonGroups(const OpenedTraces &opened, std::span<const SpanGroup> groups)
{
    Json json;
    json.beginObject();
    writeHead(json, opened.samples);
    json.key("rows").beginArray();
    for (const SpanGroup &group : groups) {
        json.beginObject().key("name").text(opened.text(group.name));
        json.key("service").text(opened.text(group.service)).key("count").count(group.count);
        json.key("errors").count(group.failed).key("p50").number(group.p50Ns).key("p90").number(group.p90Ns);
        json.key("p99").number(group.p99Ns).key("max").number(group.longestNs);
        json.key("samples").count(group.samples).key("cpu").number(group.onCpuNs);
        json.key("waiting").number(group.waitingNs).endObject();
    }
    json.endArray().endObject();
    return json.str() + '\n';
}

std::string csvGroups(const OpenedTraces &opened, std::span<const SpanGroup> groups)
{
    std::string text = "name,service,count,errors,p50,p90,p99,max,samples,cpu,waiting\n";
    for (const SpanGroup &group : groups) {
        text += csvField(opened.text(group.name)) + ',' + csvField(opened.text(group.service)) + ',' +
                std::to_string(group.count) + ',' + std::to_string(group.failed);
        for (const std::int64_t ns : {group.p50Ns, group.p90Ns, group.p99Ns, group.longestNs})
            text += ',' + std::to_string(ns);
        text += ',' + std::to_string(group.samples) + ',' + std::to_string(group.onCpuNs) + ',' +
                std::to_string(group.waitingNs) + '\n';
    }
    return text;
}

std::string textGroups(const OpenedTraces &opened, std::span<const SpanGroup> groups, bool isFull)
{
    Table table({"count", "error%", "p50", "p90", "p99", "max", "samples", "cpu", "waiting", "name"}, isFull);
    for (const SpanGroup &group : groups)
        table.add({std::to_string(group.count), percent(group.failed, group.count), durationText(group.p50Ns),
                   durationText(group.p90Ns), durationText(group.p99Ns), durationText(group.longestNs),
                   std::to_string(group.samples), durationText(group.onCpuNs), durationText(group.waitingNs)},
                  opened.text(group.name), 0, opened.text(group.service));
    return table.str();
}

void printGroups(const Arguments &arguments, const OpenedTraces &opened, std::size_t limit)
{
    std::span<const SpanGroup> groups = opened.traces->groups.groups;
    if (limit > 0)
        groups = groups.first(std::min(limit, groups.size()));
    if (arguments.has("json"))
        print(jsonGroups(opened, groups));
    else if (arguments.has("csv"))
        print(csvGroups(opened, groups));
    else
        print(textGroups(opened, groups, arguments.has("full")));
}

std::vector<std::uint32_t> sortedSpans(const OpenedTraces &opened, std::string_view column)
{
    const SpanTable &table = opened.table();
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < table.size(); ++row)
        if (opened.traces->isShown[row] != 0)
            rows.push_back(row);
    const auto by = [&](bool isDescending, auto numberOf) {
        return rowsByNumber(rows, isDescending, [&](std::uint32_t row) { return numberOf(SpanRow(row)); });
    };
    if (column == "start")
        return by(false, [&](SpanRow row) { return table.startNs(row); });
    if (column == "samples")
        return by(true,
                  [&](SpanRow row) { return opened.traces->study->weights.samples[table.link(row).value]; });
    return by(true, [&](SpanRow row) { return table.durationNs(row); });
}

void printSpans(const Arguments &arguments, const OpenedTraces &opened, std::size_t limit)
{
    const std::vector<std::uint32_t> rows = sortedSpans(opened, arguments.value("sort").value_or("duration"));
    ServiceNames services(*opened.snapshot);
    std::vector<SpanLine> lines;
    const std::size_t shown = limit == 0 ? rows.size() : std::min(limit, rows.size());
    for (const std::uint32_t row : std::span(rows).first(shown))
        lines.push_back(lineOf(opened, services, SpanRow(row)));
    if (arguments.has("json"))
        print(jsonReport(opened, lines));
    else if (arguments.has("csv"))
        print(csvReport(lines));
    else
        print(textReport(lines, rows.size(), arguments.has("full")));
}

/// What the options ask for beyond the lens.
Result<Lens> lensOfSpans(const Arguments &arguments)
{
    const std::string sort = arguments.value("sort").value_or("duration");
    if (sort != "duration" && sort != "start" && sort != "samples")
        return failure("--sort takes duration, start or samples, not '" + sort + "'");
    Result<Lens> lens = lensOf(arguments);
    for (const std::string &function : arguments.values("function")) {
        if (const Result<Matcher> matcher = Matcher::regex(function); !matcher)
            return failure("--function: " + matcher.error().message);
        if (lens)
            lens->paths.push_back({PathTermKind::Regex, function, false});
    }
    if (lens && arguments.has("function") && !arguments.has("children"))
        lens->noChildren = true;
    return lens;
}

Exit runSpans(const Arguments &arguments)
{
    Exit status = Exit::Done;
    const Result<std::size_t> limit = arguments.number("limit", 20);
    const Result<Lens> lens = lensOfSpans(arguments);
    if (!limit || !lens) {
        complain(!limit ? limit.error().message : lens.error().message);
        return Exit::WrongUse;
    }
    const auto opened = openTraces(arguments, *lens, status);
    if (!opened)
        return status;
    if (arguments.has("groups"))
        printGroups(arguments, *opened, *limit);
    else
        printSpans(arguments, *opened, *limit);
    return status;
}

} // namespace

const Command kSpans{
    .name = "spans",
    .usage = "FILE… [--function RE] [--groups] [--sort COLUMN] [--limit N] [filters]",
    .summary = "spans, the slowest first, or those that ran a function",
    .examples = "  hearth spans shop.otlp --groups\n"
                "  hearth spans shop.otlp --function '^json::parse'\n"
                "  hearth spans shop.otlp --lens 'span=\"GET /cart\" error' --json\n",
    .options = kOptions,
    .run = runSpans,
};

} // namespace hearth::cli
