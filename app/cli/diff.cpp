#include "app/cli/command.h"
#include "app/cli/compare.h"
#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "ingest/bytes/byte_sink.h"
#include "model/lens/lens_text.h"
#include "model/lens/units.h"
#include "model/views/difference_table.h"
#include "model/views/entry_table.h"
#include "ui/export/shown_text.h"
#include "ui/export/web_page.h"

namespace hearth::cli {

namespace {

constexpr std::array kOwnOptions{
    Option{.name = "sort", .value = "self|total", .help = "by the change of which weight; self by default"},
    Option{
        .name = "by",
        .value = "WHAT",
        .help =
            "function, line, file, binary, address, process, thread, or any attribute; several with commas"},
    Option{.name = "cum", .value = "", .help = "the same as --sort total"},
    Option{.name = "html", .value = "", .help = "as a flame graph of both sides, a page for a browser"},
    Option{.name = "output",
           .value = "OUT.html",
           .help = "the file that the page is written to; - for standard output",
           .letter = 'o'},
};
constexpr auto kOptions =
    joined(kOwnOptions, kSideOptions, kReportOptions, kLensOptions, kSymbolOptions, kInputOptions);

void writeChange(Json &json, std::string_view key, const Change &change)
{
    json.key(key).beginObject().key("base").number(change.base).key("new").number(change.current);
    json.key("change").number(change.delta()).key("noise").boolean(!change.isSignificant()).endObject();
}

std::string jsonReport(const DifferenceTable &table, Normalisation normalisation)
{
    Json json;
    json.beginObject();
    writeHead(json, *table.difference, normalisation);
    json.key("rows").beginArray();
    for (const DifferenceRow &row : table.rows) {
        json.beginObject().key("name").text(row.name).key("file").text(row.file).key("line").number(row.line);
        json.key("binary").text(row.binary);
        writeChange(json, "self", row.self);
        writeChange(json, "total", row.total);
        json.endObject();
    }
    json.endArray().endObject();
    return json.str() + '\n';
}

std::string csvCells(const Change &change)
{
    return std::to_string(change.base) + ',' + std::to_string(change.current) + ',' +
           std::to_string(change.delta()) + ',' + (change.isSignificant() ? "0," : "1,");
}

std::string csvReport(const DifferenceTable &table)
{
    std::string text = "self_base,self_new,self_change,self_noise,total_base,total_new,total_change,"
                       "total_noise,name,file,line,binary\n";
    for (const DifferenceRow &row : table.rows)
        text += csvCells(row.self) + csvCells(row.total) + csvField(row.name) + ',' + csvField(row.file) +
                ',' + std::to_string(row.line) + ',' + csvField(row.binary) + '\n';
    return text;
}

std::string_view markOf(const Change &change)
{
    if (change.delta() == 0)
        return "=";
    if (!change.isSignificant())
        return "noise";
    return change.isNew() ? "new" : change.isGone() ? "gone" : change.delta() > 0 ? "more" : "less";
}

std::string textReport(const DifferenceTable &table, DifferenceOrder order, Normalisation normalisation,
                       bool isFull)
{
    const Difference &difference = *table.difference;
    const std::string &unit = difference.series.unit;
    const std::int64_t whole =
        difference.whole().base != 0 ? difference.whole().base : difference.whole().current;
    Table text({"base", "new", "change", "change%", "share", "", "name"}, isFull);
    for (const DifferenceRow &row : table.rows) {
        const Change &change = order == DifferenceOrder::Self ? row.self : row.total;
        const std::string growth = growthText(change);
        text.add({humanValue(change.base, unit), humanValue(change.current, unit),
                  signedValue(change.delta(), unit), growth.empty() ? "0.00%" : growth,
                  percent(change.delta(), whole), std::string(markOf(change))},
                 row.name, 0,
                 difference.groupDepth == 0 ? std::string(baseName(row.file.empty() ? row.binary : row.file))
                                            : std::string());
    }
    std::string head = describe(difference, normalisation);
    if (table.rows.size() < table.rowCount)
        head += "; the first " + std::to_string(table.rows.size()) + " of " + std::to_string(table.rowCount) +
                " rows";
    return head + '\n' + text.str();
}

/// Where the page goes; nothing if a table is asked for.
Result<std::optional<std::string>> pageOutput(const Arguments &arguments)
{
    const auto output = arguments.value("output");
    if (output && *output != "-" && !output->ends_with(".html") && !output->ends_with(".htm"))
        return failure(*output + ": diff writes pages only; name it .html");
    return arguments.has("html") || output ? std::optional(output.value_or("-")) : std::nullopt;
}

Result<void> writePage(const Difference &difference, const Sides &sides, const std::string &output)
{
    std::string subtitle = describe(difference, sides.normalisation);
    if (const std::string lens = printLens(sides.current.lens); !lens.empty())
        subtitle += "; " + lens;
    const QByteArray page =
        webPage(difference, {shownText(sides.title), shownText(subtitle), {}}, NameDetail::Full);
    return writeFile(output, {page.constData(), static_cast<std::size_t>(page.size())});
}

Exit runDiff(const Arguments &arguments)
{
    Exit status = Exit::Done;
    const std::string sort = arguments.has("cum") ? "total" : arguments.value("sort").value_or("self");
    const Result<std::size_t> limit = arguments.number("limit", 20);
    if (!limit || (sort != "self" && sort != "total")) {
        complain(!limit ? limit.error().message : "--sort takes self or total, not '" + sort + "'");
        return Exit::WrongUse;
    }
    const auto page = pageOutput(arguments);
    if (!page) {
        complain(page.error().message);
        return Exit::WrongUse;
    }
    const auto sides = openSides(arguments, splitAtCommas(arguments.value("by").value_or("")), status);
    if (!sides)
        return status;
    DifferenceEvaluator evaluator;
    const auto difference = compare(evaluator, *sides, status);
    if (!difference)
        return status;
    if (*page) {
        const Result<void> written = writePage(*difference, *sides, **page);
        if (!written)
            complain(written.error().message);
        return written ? status : Exit::Unreadable;
    }
    const auto order = sort == "self" ? DifferenceOrder::Self : DifferenceOrder::Total;
    const auto table = differenceTable(difference, order, *limit, {});
    if (arguments.has("json"))
        print(jsonReport(*table, sides->normalisation));
    else if (arguments.has("csv"))
        print(csvReport(*table));
    else
        print(textReport(*table, order, sides->normalisation, arguments.has("full")));
    return status;
}

} // namespace

const Command kDiff{
    .name = "diff",
    .usage = "BASE NEW [--by WHAT] [--normalize BY] [--sort self|total] [--limit N] [filters]",
    .summary = "what grew and what shrank from one profile to another, and whether that is noise",
    .examples = "  hearth diff before.pb.gz after.pb.gz\n"
                "  hearth diff before.pb.gz after.pb.gz --normalize total --sort total\n"
                "  hearth diff before.pb.gz after.pb.gz -o what-changed.html\n"
                "  hearth diff --base mon.pb.gz --base tue.pb.gz wed.pb.gz thu.pb.gz --by file\n"
                "  hearth diff day.otlp.gz day.otlp.gz --base-lens time=0s..60s --lens time=60s..120s\n",
    .options = kOptions,
    .run = runDiff,
};

} // namespace hearth::cli
