#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/terminal.h"
#include "ingest/bytes/byte_sink.h"
#include "ingest/formats/folded_writer.h"
#include "ingest/formats/pprof_writer.h"
#include "model/views/series_choice.h"

namespace hearth::cli {

namespace {

constexpr auto kOptions = joined(
    std::array{
        Option{
            .name = "output", .value = "OUT", .help = "file to write; - for standard output", .letter = 'o'},
        Option{.name = "to", .value = "FORMAT", .help = "pprof or folded, where the name does not tell"},
        Option{.name = "series", .value = "S", .help = "the one to write, for formats that hold one"}},
    kInputOptions);

bool endsWithAny(std::string_view name, std::initializer_list<std::string_view> endings)
{
    for (const std::string_view ending : endings)
        if (name.ends_with(ending))
            return true;
    return false;
}

std::string formatOf(const std::string &output)
{
    if (endsWithAny(output, {".pb.gz", ".pb", ".pprof", ".prof"}))
        return "pprof";
    if (endsWithAny(output, {".folded", ".collapsed", ".folded.gz", ".collapsed.gz"}))
        return "folded";
    return {};
}

Exit runConvert(const Arguments &arguments)
{
    const std::optional<std::string> output = arguments.value("output");
    if (!output) {
        complain("convert needs a file to write: -o OUT");
        return Exit::WrongUse;
    }
    const std::string format = arguments.value("to").value_or(formatOf(*output));
    if (format != "pprof" && format != "folded") {
        complain(
            *output +
            ": it does not tell which format is meant; name it .pb.gz, .pb or .folded, or say --to pprof");
        return Exit::WrongUse;
    }
    Exit status = Exit::Done;
    const auto snapshot = openFiles(arguments, status);
    if (!snapshot)
        return status;
    Result<std::string> bytes = std::string();
    if (format == "pprof") {
        bytes = pprofMessage(*snapshot);
    } else {
        const Result<SeriesChoice> series = chooseSeries(*snapshot, arguments.value("series").value_or(""));
        if (!series || series->timesPeriod) {
            complain(series ? "folded stacks hold stored series only" : series.error().message);
            return Exit::WrongUse;
        }
        bytes = foldedText(*snapshot, series->stored);
    }
    if (!bytes) {
        complain(bytes.error().message);
        return Exit::Unreadable;
    }
    const bool isGzip = output->ends_with(".gz") || output->ends_with(".pprof") || output->ends_with(".prof");
    const Result<void> written = writeFile(*output, isGzip ? gzipped(*bytes) : *bytes);
    if (!written) {
        complain(written.error().message);
        return Exit::Unreadable;
    }
    return status;
}

} // namespace

const Command kConvert{
    .name = "convert",
    .usage = "FILE… -o OUT",
    .summary = "write a data set in another format, or several as one",
    .examples = "  hearth convert stacks.folded -o stacks.pb.gz\n"
                "  hearth convert cpu.pb.gz -o cpu.folded --series cpu\n"
                "  hearth convert a.pb.gz b.pb.gz -o both.pb.gz\n",
    .options = kOptions,
    .run = runConvert,
};

} // namespace hearth::cli
