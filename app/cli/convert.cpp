#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/terminal.h"
#include "ingest/bytes/byte_sink.h"
#include "ingest/bytes/packing.h"
#include "ingest/formats/firefox_writer.h"
#include "ingest/formats/folded_writer.h"
#include "ingest/formats/otlp_writer.h"
#include "ingest/formats/pprof_writer.h"
#include "ingest/formats/speedscope_writer.h"
#include "model/views/series_choice.h"

#include <algorithm>

namespace hearth::cli {

namespace {

constexpr auto kOptions = joined(
    std::array{
        Option{
            .name = "output", .value = "OUT", .help = "file to write; - for standard output", .letter = 'o'},
        Option{.name = "to",
               .value = "FORMAT",
               .help = "where the name does not tell: pprof, folded, speedscope, firefox, otlp, otlp-frames, "
                       "otlp-json, otlp-jsonl"},
        Option{.name = "series", .value = "S", .help = "the one to write, for formats that hold one"}},
    kInputOptions);

Result<std::string> writePprof(const Snapshot &snapshot, const Arguments &)
{
    return pprofMessage(snapshot);
}

template <std::string (*text)(const Snapshot &, SeriesId)>
Result<std::string> writeSeries(const Snapshot &snapshot, const Arguments &arguments)
{
    const Result<SeriesChoice> series = chooseSeries(snapshot, arguments.value("series").value_or(""));
    if (!series)
        return tl::unexpected(series.error());
    return text(snapshot, series->stored);
}

Result<std::string> writeSpeedscope(const Snapshot &snapshot, const Arguments &)
{
    return speedscopeText(snapshot);
}

template <OtlpForm form>
Result<std::string> writeOtlp(const Snapshot &snapshot, const Arguments &)
{
    return otlpFile(snapshot, form);
}

struct OutputFormat {
    std::string_view name;
    std::array<std::string_view, 4> endings; ///< of files; .gz and .zst may follow
    Result<std::string> (*write)(const Snapshot &snapshot, const Arguments &arguments);
    bool holdsOneSeries = false;
};
constexpr std::array kFormats{
    OutputFormat{"pprof", {".pb", ".pprof", ".prof"}, writePprof},
    OutputFormat{"folded", {".folded", ".collapsed"}, writeSeries<foldedText>, true},
    OutputFormat{"firefox", {".firefox.json"}, writeSeries<firefoxText>, true},
    OutputFormat{"speedscope", {".speedscope.json", ".speedscope"}, writeSpeedscope},
    OutputFormat{"otlp", {".otlp"}, writeOtlp<OtlpForm::Message>},
    OutputFormat{"otlp-frames", {".otlp.bin", ".otlp.frames"}, writeOtlp<OtlpForm::Framed>},
    OutputFormat{"otlp-json", {".otlp.json"}, writeOtlp<OtlpForm::Json>},
    OutputFormat{"otlp-jsonl", {".otlp.jsonl", ".jsonl"}, writeOtlp<OtlpForm::JsonLines>},
};

const OutputFormat *formatNamed(std::string_view name)
{
    const auto found = std::ranges::find(kFormats, name, &OutputFormat::name);
    return found == kFormats.end() ? nullptr : &*found;
}

const OutputFormat *formatOf(std::string_view output)
{
    for (const std::string_view packing : {".gz", ".zst"})
        if (output.ends_with(packing))
            output.remove_suffix(packing.size());
    for (const OutputFormat &format : kFormats)
        for (const std::string_view ending : format.endings)
            if (!ending.empty() && output.ends_with(ending))
                return &format;
    return nullptr;
}

/// pprof's own names for its files mean compressed ones.
Packing packingOf(std::string_view output)
{
    return output.ends_with(".pprof") || output.ends_with(".prof") ? Packing::Gzip : packingOfName(output);
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
    const auto snapshot = openFiles(arguments, status);
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
    const Result<std::string> bytes = format->write(*snapshot, arguments);
    if (!bytes) {
        complain(bytes.error().message);
        return Exit::Unreadable;
    }
    const Packing packing = packingOf(*output);
    const Result<void> written =
        packing == Packing::None
            ? writeFile(*output, *bytes)
            : writeFile(
                  *output,
                  packed({reinterpret_cast<const std::uint8_t *>(bytes->data()), bytes->size()}, packing));
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
                "  hearth convert a.pb.gz b.pb.gz -o both.otlp.zst\n"
                "  hearth convert live.otlp.gz -o live.otlp.jsonl\n",
    .options = kOptions,
    .run = runConvert,
};

} // namespace hearth::cli
