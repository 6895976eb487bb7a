#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/output_format.h"
#include "app/cli/terminal.h"
#include "model/views/part.h"
#include "model/views/series_choice.h"

namespace hearth::cli {

namespace {

constexpr auto kOptions = joined(
    std::array{
        Option{
            .name = "output", .value = "OUT", .help = "file to write; - for standard output", .letter = 'o'},
        Option{.name = "to",
               .value = "FORMAT",
               .help = "where the name does not tell: pprof, folded, speedscope, firefox, otlp, otlp-frames, "
                       "otlp-json, otlp-jsonl"}},
    kLensOptions, kInputOptions);

/// What the options leave of a data set. @return null after complaining
std::shared_ptr<const Snapshot> chosenPart(const std::shared_ptr<const Snapshot> &snapshot,
                                           const Arguments &arguments, Exit &status)
{
    std::optional<Lens> lens = lensOf(arguments, {}, status);
    if (!lens)
        return nullptr;
    if (!lens->frames.empty() || !lens->tagRoot.empty() || !lens->tagLeaf.empty() || lens->noInlines)
        complain("stacks are written whole: what hides, cuts or adds frames only chooses samples here");
    const auto part = partOf(snapshot, *lens, {});
    if (!part) {
        complain(part.error().message);
        status = Exit::WrongUse;
        return nullptr;
    }
    return *part;
}

Exit runConvert(const Arguments &arguments)
{
    const std::optional<std::string> output = arguments.value("output");
    if (!output) {
        complain("convert needs a file to write: -o OUT");
        return Exit::WrongUse;
    }
    const std::optional<std::string> wanted = arguments.value("to");
    const OutputFormat *format = wanted ? formatNamed(*wanted) : formatOf(*output);
    if (format == nullptr) {
        complain(*output +
                 ": it does not tell which format is meant; name it .pb.gz, .pb, .folded, "
                 ".speedscope.json, .firefox.json, .otlp, .otlp.json or .otlp.jsonl, or say --to pprof");
        return Exit::WrongUse;
    }
    Exit status = Exit::Done;
    auto snapshot = openFiles(arguments, status);
    if (snapshot)
        snapshot = chosenPart(snapshot, arguments, status);
    if (!snapshot)
        return status;
    if (format->holdsOneSeries && arguments.value("series")) {
        const Result<SeriesChoice> series = chooseSeries(*snapshot, *arguments.value("series"));
        if (!series || series->timesPeriod || series->countsRows) {
            complain(series ? std::string(format->name) + " holds stored series only"
                            : series.error().message);
            return Exit::WrongUse;
        }
    }
    const Result<std::string> bytes = format->write(*snapshot, arguments.value("series").value_or(""));
    if (!bytes) {
        complain(bytes.error().message);
        return Exit::Unreadable;
    }
    if (const Result<void> written = writePacked(*output, *bytes); !written) {
        complain(written.error().message);
        return Exit::Unreadable;
    }
    return status;
}

} // namespace

const Command kConvert{
    .name = "convert",
    .usage = "FILE… -o OUT",
    .summary = "write a data set in another format, several as one, or a part of it",
    .examples = "  hearth convert stacks.folded -o stacks.pb.gz\n"
                "  hearth convert cpu.pb.gz -o cpu.folded --series cpu\n"
                "  hearth convert a.pb.gz b.pb.gz -o both.otlp.zst\n"
                "  hearth convert live.otlp.gz -o live.otlp.jsonl\n"
                "  hearth convert live.otlp.gz --lens '@thread=ui time=2s..5s' -o ui.pb.gz\n",
    .options = kOptions,
    .run = runConvert,
};

} // namespace hearth::cli
