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

std::string_view sourceText(SymbolSource source)
{
    switch (source) {
    case SymbolSource::DebugInformation:
        return "debug information";
    case SymbolSource::SymbolTable:
        return "symbol table";
    case SymbolSource::ExportedNames:
        return "exported names";
    case SymbolSource::GoTable:
        return "Go's table";
    case SymbolSource::Kernel:
        return "kernel";
    case SymbolSource::None:
        break;
    }
    return "none";
}

/// What is known of the names of a row: of several builds, of the one that is worst off.
struct State {
    std::string_view source; ///< empty: nobody looked, because every frame came with a name
    std::string_view file;
    std::string_view problem;
    std::string_view advice;
    std::string_view buildId;
};

State stateOf(const BinaryRow &row, const Snapshot &snapshot)
{
    State state;
    const BinarySymbols *worst = nullptr;
    for (const BinaryId build : row.builds) {
        const Binary &binary = snapshot.binaries[build.value];
        if (state.buildId.empty())
            state.buildId = snapshot.text(!snapshot.text(binary.buildId).empty()     ? binary.buildId
                                          : !snapshot.text(binary.goBuildId).empty() ? binary.goBuildId
                                                                                     : binary.fileHash);
        const BinarySymbols *const symbols = snapshot.symbolsOf(build);
        if (symbols != nullptr && (worst == nullptr || symbols->source == SymbolSource::None))
            worst = symbols;
    }
    if (worst == nullptr)
        return state;
    state.source = sourceText(worst->source);
    state.file = worst->file;
    state.problem = worst->problem;
    state.advice = worst->advice;
    return state;
}

/// Rounded down: what is not all is not 100 %.
std::string share(double part)
{
    return std::to_string(static_cast<int>(std::floor(100 * part))) + '%';
}

std::string jsonReport(const Evaluation &evaluation, const BinaryTable &table,
                       std::span<const BinaryRow> rows)
{
    Json json;
    json.beginObject();
    writeHead(json, evaluation);
    json.key("rows").beginArray();
    for (const BinaryRow &row : rows) {
        const State state = stateOf(row, *table.snapshot);
        json.beginObject().key("path").text(row.path).key("build_id").text(state.buildId);
        json.key("self").number(row.self).key("total").number(row.total);
        json.key("frames").number(static_cast<std::int64_t>(row.frames));
        json.key("nameless_frames").number(static_cast<std::int64_t>(row.namelessFrames));
        json.key("nameless").number(row.nameless);
        json.key("source").text(state.source).key("file").text(state.file);
        json.key("problem").text(state.problem).key("advice").text(state.advice).endObject();
    }
    json.endArray().endObject();
    return json.str() + '\n';
}

std::string csvReport(const BinaryTable &table, std::span<const BinaryRow> rows)
{
    std::string text =
        "self,total,frames,nameless_frames,nameless,path,build_id,source,file,problem,advice\n";
    for (const BinaryRow &row : rows) {
        const State state = stateOf(row, *table.snapshot);
        for (const std::int64_t number : {row.self, row.total, static_cast<std::int64_t>(row.frames),
                                          static_cast<std::int64_t>(row.namelessFrames), row.nameless})
            text += std::to_string(number) + ',';
        for (const std::string_view field :
             {row.path, state.buildId, state.source, state.file, state.problem})
            text += csvField(field) + ',';
        text += csvField(state.advice) + '\n';
    }
    return text;
}

/// One line for each binary whose names are missing, those first that weigh most.
std::string remedies(const Evaluation &evaluation, const BinaryTable &table, std::span<const BinaryRow> rows)
{
    std::string text;
    for (const BinaryRow &row : rows) {
        const State state = stateOf(row, *table.snapshot);
        if (row.nameless == 0 || state.problem.empty())
            continue;
        text += percent(row.nameless, evaluation.total) + "  " + printable(baseName(row.path)) + ": " +
                printable(state.problem);
        if (!state.advice.empty())
            text += "; " + std::string(state.advice);
        text += '\n';
    }
    return text.empty() ? text : "\nSamples without names, why, and what would help:\n" + text;
}

std::string textReport(const Evaluation &evaluation, const BinaryTable &table,
                       std::span<const BinaryRow> rows, bool isFull)
{
    Table text({"total", "total%", "self%", "named", "frames", "names from", "binary"}, isFull);
    for (const BinaryRow &row : rows) {
        const std::string_view source = stateOf(row, *table.snapshot).source;
        text.add({humanValue(row.total, evaluation.series.unit), percent(row.total, evaluation.total),
                  percent(row.self, evaluation.total), share(row.named), std::to_string(row.frames),
                  std::string(source.empty() ? "the sender" : source)},
                 row.path);
    }
    return describe(evaluation) + '\n' + text.str() + remedies(evaluation, table, rows);
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
        print(jsonReport(evaluation, *table, rows));
    else if (arguments.has("csv"))
        print(csvReport(*table, rows));
    else
        print(textReport(evaluation, *table, rows, arguments.has("full")));
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
