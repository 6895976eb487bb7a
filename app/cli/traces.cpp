#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "app/cli/trace_reports.h"

#include <algorithm>

namespace hearth::cli {

namespace {

constexpr std::array kOwnOptions{
    Option{.name = "sort",
           .value = "COLUMN",
           .help = "duration (the default), start, spans, errors, samples, cpu, waiting, name or service"},
};
constexpr auto kOptions = joined(kOwnOptions, kReportOptions, kLensOptions, kInputOptions);

struct Column {
    std::string_view name;
    TraceKey key;
    bool isDescending;
};
constexpr std::array kColumns{
    Column{"duration", TraceKey::Duration, true}, Column{"start", TraceKey::Start, false},
    Column{"spans", TraceKey::Spans, true},       Column{"errors", TraceKey::Failed, true},
    Column{"samples", TraceKey::Samples, true},   Column{"cpu", TraceKey::OnCpu, true},
    Column{"waiting", TraceKey::Waiting, true},   Column{"name", TraceKey::Name, false},
    Column{"service", TraceKey::Service, false},
};

std::string idOf(const OpenedTraces &opened, const TraceSummary &trace)
{
    return traceText(opened.snapshot->links[opened.table().anyLink(trace.trace).value]);
}

std::string_view nameOf(const OpenedTraces &opened, const TraceSummary &trace)
{
    return trace.root.isNone() ? std::string_view() : opened.text(opened.table().name(trace.root));
}

std::string jsonReport(const OpenedTraces &opened, std::span<const std::uint32_t> rows)
{
    Json json;
    json.beginObject();
    writeHead(json, opened.samples);
    json.key("rows").beginArray();
    for (const std::uint32_t row : rows) {
        const TraceSummary &trace = opened.traces->traces[row];
        json.beginObject().key("trace").text(idOf(opened, trace)).key("name").text(nameOf(opened, trace));
        json.key("service").text(opened.text(trace.service)).key("start").number(trace.startNs);
        json.key("duration").number(trace.durationNs).key("spans").count(trace.spans);
        json.key("errors").count(trace.failed).key("samples").count(trace.samples);
        json.key("cpu").number(trace.onCpuNs).key("waiting").number(trace.waitingNs).endObject();
    }
    json.endArray().endObject();
    return json.str() + '\n';
}

std::string csvReport(const OpenedTraces &opened, std::span<const std::uint32_t> rows)
{
    std::string text = "trace,name,service,start,duration,spans,errors,samples,cpu,waiting\n";
    for (const std::uint32_t row : rows) {
        const TraceSummary &trace = opened.traces->traces[row];
        text += idOf(opened, trace) + ',' + csvField(nameOf(opened, trace)) + ',' +
                csvField(opened.text(trace.service));
        for (const std::int64_t number : {trace.startNs, trace.durationNs})
            text += ',' + std::to_string(number);
        for (const std::uint64_t count :
             {std::uint64_t(trace.spans), std::uint64_t(trace.failed), trace.samples})
            text += ',' + std::to_string(count);
        text += ',' + std::to_string(trace.onCpuNs) + ',' + std::to_string(trace.waitingNs) + '\n';
    }
    return text;
}

std::string textReport(const OpenedTraces &opened, std::span<const std::uint32_t> rows, bool isFull)
{
    constexpr std::size_t kDigits = 16; // of an id: enough to tell traces apart, and for trace=
    Table table({"trace", "duration", "spans", "errors", "samples", "cpu", "waiting", "name"}, isFull);
    for (const std::uint32_t row : rows) {
        const TraceSummary &trace = opened.traces->traces[row];
        const std::string id = idOf(opened, trace);
        table.add({isFull ? id : id.substr(0, kDigits), durationText(trace.durationNs),
                   std::to_string(trace.spans), std::to_string(trace.failed), std::to_string(trace.samples),
                   durationText(trace.onCpuNs), durationText(trace.waitingNs)},
                  trace.root.isNone() ? "[no span received]" : nameOf(opened, trace), 0,
                  opened.text(trace.service));
    }
    const std::size_t count = opened.traces->traces.size();
    std::string text = std::to_string(count) + (count == 1 ? " trace" : " traces");
    if (rows.size() < count)
        text += "; the first " + std::to_string(rows.size());
    return text + '\n' + table.str();
}

Exit runTraces(const Arguments &arguments)
{
    Exit status = Exit::Done;
    const Result<std::size_t> limit = arguments.number("limit", 20);
    const std::string sort = arguments.value("sort").value_or("duration");
    const auto column = std::ranges::find(kColumns, sort, &Column::name);
    Result<Lens> lens = lensOf(arguments);
    if (!limit || column == kColumns.end() || !lens) {
        complain(!limit  ? limit.error().message
                 : !lens ? lens.error().message
                         : "--sort takes no '" + sort + "'; see hearth traces --help");
        return Exit::WrongUse;
    }
    const auto opened = openTraces(arguments, *lens, status);
    if (!opened)
        return status;
    std::vector<std::uint32_t> rows = arrangedTraces(
        *opened->snapshot, opened->table(), opened->traces->traces, column->key, column->isDescending);
    if (*limit > 0 && rows.size() > *limit)
        rows.resize(*limit);
    if (arguments.has("json"))
        print(jsonReport(*opened, rows));
    else if (arguments.has("csv"))
        print(csvReport(*opened, rows));
    else
        print(textReport(*opened, rows, arguments.has("full")));
    return status;
}

} // namespace

const Command kTraces{
    .name = "traces",
    .usage = "FILE… [--sort COLUMN] [--limit N] [filters]",
    .summary = "traces, the slowest first, with what was sampled in them",
    .examples = "  hearth traces shop.otlp\n"
                "  hearth traces shop.otlp cpu.otlp --sort cpu\n"
                "  hearth traces shop.otlp --lens 'span~\"GET /cart\" duration>200ms'\n"
                "  hearth traces shop.otlp --lens '@service=checkout error' --json\n",
    .options = kOptions,
    .run = runTraces,
};

} // namespace hearth::cli
