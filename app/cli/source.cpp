#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/source_report.h"
#include "app/cli/terminal.h"
#include "ingest/code/code_files.h"
#include "model/lens/matcher.h"
#include "model/views/top_table.h"

#include <algorithm>

namespace hearth::cli {

namespace {

constexpr std::array kOwnOptions{
    Option{.name = "function", .value = "RE", .help = "the functions to show: those whose names match"},
    Option{.name = "asm", .value = "", .help = "their instructions, too"},
    Option{.name = "att", .value = "", .help = "instructions of x86 as AT&T writes them, not Intel"},
    Option{.name = "context", .value = "N", .help = "so many lines around those that weigh; 5 by default"},
    Option{.name = "source-path",
           .value = "PLACE",
           .help = "a folder with sources, or FROM=TO: what was in FROM when it was compiled is in TO"},
    Option{.name = "json", .value = "", .help = "as one JSON object"},
    Option{.name = "limit",
           .value = "N",
           .help = "at most so many functions, the heaviest; 0 for all",
           .letter = 'n'},
    Option{.name = "list", .value = "RE", .sameAs = "function"},
};
constexpr auto kOptions = joined(kOwnOptions, kLensOptions, kSymbolOptions, kInputOptions);

struct Request {
    Matcher functions;
    std::size_t context = 0;
    std::size_t limit = 0;
    bool hasCode = false;
    AssemblySyntax syntax = AssemblySyntax::Intel;
};

Result<Request> requestOf(const Arguments &arguments)
{
    const auto expression = arguments.value("function");
    if (!expression)
        return failure("--function is missing: a regular expression for the names of functions");
    auto functions = Matcher::regex(*expression);
    if (!functions)
        return failure("--function: '" + *expression + "': " + functions.error().message);
    const Result<std::size_t> context = arguments.number("context", 5);
    const Result<std::size_t> limit = arguments.number("limit", 10);
    if (!context || !limit)
        return tl::unexpected(!context ? context.error() : limit.error());
    return Request{.functions = std::move(*functions),
                   .context = std::min<std::size_t>(*context, 1'000'000),
                   .limit = *limit,
                   .hasCode = arguments.has("asm") || arguments.has("att"),
                   .syntax = arguments.has("att") ? AssemblySyntax::Att : AssemblySyntax::Intel};
}

std::unique_ptr<CodeReader> readerOf(const Arguments &arguments)
{
    SearchPlaces programs;
    programs.folders = arguments.values("symbols-from");
    programs.debuginfod.servers = arguments.values("debuginfod");
    SourcePlaces sources;
    sources.places = arguments.values("source-path");
    sources.debuginfod = programs.debuginfod;
    return std::make_unique<CodeFiles>(std::move(programs), std::move(sources));
}

ListedFunction listed(std::string_view name, const Snapshot &snapshot, const CodeWeights &weights,
                      const Request &request, CodeReader &reader)
{
    FunctionCode code = codeOf(weights, snapshot, name, request.hasCode ? &reader : nullptr);
    ListedFunction function{.name = std::move(code.function),
                            .weight = code.weight,
                            .sources = {},
                            .code = {},
                            .problems = problemsOf(code, request.hasCode)};
    for (FunctionSource &source : code.sources) {
        SourceFound found = reader.findSource(snapshot, {source.file, source.binary}, {});
        function.sources.push_back({std::move(source), std::move(found)});
    }
    for (FunctionOccurrence &occurrence : code.occurrences)
        function.code.push_back(
            listedCode(std::move(occurrence), snapshot, weights, request.syntax, reader, {}));
    return function;
}

/// The functions that match, the heaviest first.
std::vector<std::string_view> matchingFunctions(const TopTable &top, const Request &request)
{
    std::vector<std::string_view> names;
    for (const TopRow &row : top.rows)
        if (request.functions.matches(row.name) && (request.limit == 0 || names.size() < request.limit))
            names.push_back(row.name);
    return names;
}

Exit runSource(const Arguments &arguments)
{
    Exit status = Exit::Done;
    const Result<Request> request = requestOf(arguments);
    if (!request) {
        complain(request.error().message);
        return Exit::WrongUse;
    }
    const auto opened = open(arguments, std::vector<std::string>{"function"}, status);
    if (!opened)
        return status;
    const auto top = topTable(*opened->evaluation->tree, TopOrder::Total, 0, 0, {});
    const std::vector<std::string_view> names = matchingFunctions(*top, *request);
    if (names.empty()) {
        complain("no function is called like '" + *arguments.value("function") + "'");
        return Exit::No;
    }
    const auto weights = CodeWeigher().weigh(opened->snapshot, opened->lens);
    if (!weights) {
        complain(weights.error().message);
        return Exit::WrongUse;
    }
    const std::unique_ptr<CodeReader> reader = readerOf(arguments);
    std::vector<ListedFunction> functions;
    for (const std::string_view name : names)
        functions.push_back(listed(name, *opened->snapshot, **weights, *request, *reader));
    print(arguments.has("json") ? sourceJson(*opened->evaluation, functions)
                                : sourceText(*opened->evaluation, functions, request->context));
    return status;
}

} // namespace

const Command kSource{
    .name = "source",
    .usage = "FILE… --function RE [--asm] [--source-path PLACE]… [filters]",
    .summary = "the source lines of functions, and their instructions, with what they weigh",
    .examples = "  hearth source cpu.pb.gz --function '^json::parse'\n"
                "  hearth source cpu.otlp --function parse --asm\n"
                "  hearth source cpu.otlp --function parse --source-path /build/app=$HOME/app\n"
                "  hearth source cpu.otlp --function parse --json\n",
    .options = kOptions,
    .run = runSource,
};

} // namespace hearth::cli
