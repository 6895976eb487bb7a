#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "model/lens/units.h"
#include "model/views/binary_table.h"

#include <algorithm>
#include <cmath>

namespace hearth::cli {

namespace {

constexpr auto kOptions = joined(kReportOptions, kLensOptions, kSymbolOptions, kInputOptions);

std::string_view sourceOf(const BinaryRow &row)
{
    return row.symbols == nullptr ? "the sender" : hearth::describe(row.symbols->source);
}

std::string_view text(const BinaryRow &row, std::string BinarySymbols::*member)
{
    return row.symbols == nullptr ? std::string_view() : std::string_view(row.symbols->*member);
}

/// Rounded down: what is not all is not 100 %.
std::string share(double part)
{
    return std::to_string(static_cast<int>(std::floor(100 * part))) + '%';
}

std::string jsonReport(const Evaluation &evaluation, std::span<const BinaryRow> rows)
{
    Json json;
    json.beginObject();
    writeHead(json, evaluation);
    json.key("rows").beginArray();
    for (const BinaryRow &row : rows) {
        json.beginObject().key("path").text(row.path);
        json.key("build_id").text(row.buildIds.empty() ? std::string_view() : row.buildIds.front());
        json.key("self").number(row.self).key("total").number(row.total);
        json.key("frames").number(static_cast<std::int64_t>(row.frames));
        json.key("nameless_frames").number(static_cast<std::int64_t>(row.namelessFrames));
        json.key("nameless").number(row.nameless);
        json.key("source").text(sourceOf(row)).key("file").text(text(row, &BinarySymbols::file));
        json.key("problem").text(problemOf(row)).key("advice").text(adviceOf(row)).endObject();
    }
    json.endArray().endObject();
    return json.str() + '\n';
}

std::string csvReport(std::span<const BinaryRow> rows)
{
    std::string lines =
        "self,total,frames,nameless_frames,nameless,path,build_id,source,file,problem,advice\n";
    for (const BinaryRow &row : rows) {
        for (const std::int64_t number : {row.self, row.total, static_cast<std::int64_t>(row.frames),
                                          static_cast<std::int64_t>(row.namelessFrames), row.nameless})
            lines += std::to_string(number) + ',';
        const std::string_view id = row.buildIds.empty() ? std::string_view() : row.buildIds.front();
        for (const std::string_view field :
             {row.path, id, sourceOf(row), text(row, &BinarySymbols::file), problemOf(row)})
            lines += csvField(field) + ',';
        lines += csvField(adviceOf(row)) + '\n';
    }
    return lines;
}

/// One line for each binary whose names are missing, those first that weigh most.
std::string remedies(const Evaluation &evaluation, std::span<const BinaryRow> rows)
{
    std::string lines;
    for (const BinaryRow &row : rows) {
        if (row.nameless == 0)
            continue;
        lines += percent(row.nameless, evaluation.total) + "  " + printable(nameOf(row)) + ": " +
                 printable(problemOf(row));
        if (const std::string_view advice = adviceOf(row); !advice.empty())
            lines += "; " + printable(advice);
        lines += '\n';
    }
    return lines.empty() ? lines : "\nSamples without names, why, and what would help:\n" + lines;
}

std::string textReport(const Evaluation &evaluation, std::span<const BinaryRow> rows, bool isFull)
{
    Table table({"total", "total%", "self%", "named", "frames", "names from", "binary"}, isFull);
    for (const BinaryRow &row : rows) {
        table.add({humanValue(row.total, evaluation.series.unit), percent(row.total, evaluation.total),
                   percent(row.self, evaluation.total), share(row.named), std::to_string(row.frames),
                   std::string(sourceOf(row))},
                  row.path.empty() ? nameOf(row) : row.path);
    }
    return describe(evaluation) + '\n' + table.str() + remedies(evaluation, rows);
}

Exit runSymbols(const Arguments &arguments)
{
    Exit status = Exit::Done;
    const Result<std::size_t> limit = arguments.number("limit", 0);
    if (!limit) {
        complain(limit.error().message);
        return Exit::WrongUse;
    }
    const auto opened = open(arguments, {}, status);
    if (!opened)
        return status;
    Evaluator evaluator;
    const auto table = binaryTable(evaluator, opened->snapshot, opened->lens, {});
    std::span<const BinaryRow> rows(table->rows);
    if (*limit != 0)
        rows = rows.first(std::min(*limit, rows.size()));
    const Evaluation &evaluation = *opened->evaluation;
    if (arguments.has("json"))
        print(jsonReport(evaluation, rows));
    else if (arguments.has("csv"))
        print(csvReport(rows));
    else
        print(textReport(evaluation, rows, arguments.has("full")));
    return status;
}

} // namespace

const Command kSymbols{
    .name = "symbols",
    .usage = "FILE… [--symbols-from PATH]… [--debuginfod URL]… [filters]",
    .summary = "the binaries: how well their functions are named, from where, and what would help",
    .examples = "  hearth symbols cpu.otlp\n"
                "  hearth symbols cpu.otlp --symbols-from ~/build\n"
                "  hearth symbols cpu.otlp --debuginfod https://debuginfod.debian.net\n"
                "  hearth top cpu.otlp --symbols-from ./server.debug\n",
    .options = kOptions,
    .run = runSymbols,
};

} // namespace hearth::cli
