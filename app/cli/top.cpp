#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/less_base.h"
#include "app/cli/name_option.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "model/lens/units.h"
#include "model/views/entry_table.h"
#include "model/views/top_table.h"

#include <algorithm>

namespace hearth::cli {

namespace {

constexpr std::array kOwnOptions{
    Option{.name = "sort", .value = "self|total", .help = "by which weight; self by default"},
    Option{
        .name = "by",
        .value = "WHAT",
        .help =
            "function, line, file, binary, address, process, thread, or any attribute; several with commas"},
    Option{.name = "cum", .value = "", .help = "the same as --sort total"},
};
constexpr auto kOptions = joined(kOwnOptions, kNameOptions, kReportOptions, kBaseOptions, kLensOptions,
                                 kSymbolOptions, kInputOptions);

std::string jsonReport(const Evaluation &evaluation, const std::vector<TopRow> &rows)
{
    Json json;
    json.beginObject();
    writeHead(json, evaluation);
    json.key("rows").beginArray();
    for (const TopRow &row : rows) {
        json.beginObject().key("name").text(row.name).key("file").text(row.file).key("line").number(row.line);
        json.key("binary")
            .text(row.binary)
            .key("self")
            .number(row.self)
            .key("total")
            .number(row.total)
            .endObject();
    }
    json.endArray().endObject();
    return json.str() + '\n';
}

std::string csvReport(const std::vector<TopRow> &rows)
{
    std::string text = "self,total,name,file,line,binary\n";
    for (const TopRow &row : rows)
        text += std::to_string(row.self) + ',' + std::to_string(row.total) + ',' + csvField(row.name) + ',' +
                csvField(row.file) + ',' + std::to_string(row.line) + ',' + csvField(row.binary) + '\n';
    return text;
}

std::string place(const TopRow &row, Granularity granularity)
{
    if (row.file.empty())
        return std::string(baseName(row.binary));
    const bool hasLine = granularity == Granularity::Line || granularity == Granularity::Address;
    return std::string(baseName(row.file)) + (hasLine ? ':' + std::to_string(row.line) : std::string());
}

std::string textReport(const Opened &opened, const TopTable &top, bool isFull)
{
    const Evaluation &evaluation = *opened.evaluation;
    const std::string &unit = evaluation.series.unit;
    Table table({"self", "self%", "total", "total%", "name"}, isFull);
    for (const TopRow &row : top.rows)
        table.add({humanValue(row.self, unit), percent(row.self, evaluation.total),
                   humanValue(row.total, unit), percent(row.total, evaluation.total)},
                  row.name, 0,
                  opened.lens.groupBy.empty() ? place(row, opened.lens.granularity) : std::string());
    std::string text = describe(evaluation);
    if (top.rows.size() < top.rowCount)
        text += "; the first " + std::to_string(top.rows.size()) + " of " + std::to_string(top.rowCount) +
                " rows";
    return text + '\n' + table.str();
}

/// @return the texts that the rows' names are in from now on
std::vector<std::string> showNames(std::vector<TopRow> &rows, NameDetail detail)
{
    std::vector<std::string> names;
    for (const TopRow &row : rows)
        names.push_back(detailedName(row.name, detail));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].name = names[i];
    return names;
}

Exit runTop(const Arguments &arguments)
{
    Exit status = Exit::Done;
    const std::string sort = arguments.has("cum") ? "total" : arguments.value("sort").value_or("self");
    const Result<std::size_t> limit = arguments.number("limit", 20);
    if (!limit || (sort != "self" && sort != "total")) {
        complain(!limit ? limit.error().message : "--sort takes self or total, not '" + sort + "'");
        return Exit::WrongUse;
    }
    const auto detail = chosenNames(arguments);
    if (!detail) {
        complain(detail.error().message);
        return Exit::WrongUse;
    }
    const auto opened = open(arguments, splitAtCommas(arguments.value("by").value_or("")), status);
    if (!opened)
        return status;
    const auto order = sort == "self" ? TopOrder::Self : TopOrder::Total;
    auto table = topTable(*opened->evaluation->tree, order, opened->evaluation->groupDepth, *limit, {});
    const std::vector<std::string> names = showNames(table->rows, *detail);
    if (arguments.has("json"))
        print(jsonReport(*opened->evaluation, table->rows));
    else if (arguments.has("csv"))
        print(csvReport(table->rows));
    else
        print(textReport(*opened, *table, arguments.has("full")));
    return status;
}

} // namespace

const Command kTop{
    .name = "top",
    .usage = "FILE… [--series S] [--sort self|total] [--by WHAT] [--limit N] [filters]",
    .summary = "the functions (or lines, files, binaries, threads …) that weigh most",
    .examples = "  hearth top cpu.pb.gz\n"
                "  hearth top heap.pb.gz --series inuse_space --sort total\n"
                "  hearth top cpu.pb.gz --by thread\n"
                "  hearth top cpu.pb.gz --names no-templates\n"
                "  hearth top cpu.pb.gz --focus '^json' --hide '^runtime' --json\n"
                "  hearth top after.pb.gz --diff-base before.pb.gz\n"
                "  hearth top cpu.pb.gz --lens 'json::parse -@thread=main'\n",
    .options = kOptions,
    .run = runTop,
};

} // namespace hearth::cli
