#include "app/cli/output_format.h"

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

Result<std::string> writePprof(const Snapshot &snapshot, std::string_view)
{
    return pprofMessage(snapshot);
}

template <std::string (*text)(const Snapshot &, SeriesId)>
Result<std::string> writeSeries(const Snapshot &snapshot, std::string_view series)
{
    const Result<SeriesChoice> chosen = chooseSeries(snapshot, std::string(series));
    if (!chosen)
        return tl::unexpected(chosen.error());
    return text(snapshot, chosen->stored);
}

Result<std::string> writeSpeedscope(const Snapshot &snapshot, std::string_view)
{
    return speedscopeText(snapshot);
}

template <OtlpForm form>
Result<std::string> writeOtlp(const Snapshot &snapshot, std::string_view)
{
    return otlpFile(snapshot, form);
}

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

/// pprof's own names for its files mean compressed ones.
Packing packingOf(std::string_view output)
{
    return output.ends_with(".pprof") || output.ends_with(".prof") ? Packing::Gzip : packingOfName(output);
}

} // namespace

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

Result<void> writePacked(const std::string &path, std::string_view bytes)
{
    const Packing packing = packingOf(path);
    if (packing == Packing::None)
        return writeFile(path, bytes);
    return writeFile(path,
                     packed({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()}, packing));
}

Result<void> writeDataSet(const Snapshot &snapshot, const std::string &path)
{
    const OutputFormat *format = formatOf(path);
    if (format == nullptr)
        return failure(path + ": its name does not tell a format: .otlp, .otlp.zst, .pb.gz, .folded, "
                              ".speedscope.json and .firefox.json do");
    const Result<std::string> bytes = format->write(snapshot, {});
    if (!bytes)
        return tl::unexpected(bytes.error());
    return writePacked(path, *bytes);
}

} // namespace hearth::cli
