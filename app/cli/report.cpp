#include "ui/export/report.h"

#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/terminal.h"
#include "ingest/bytes/byte_sink.h"

namespace hearth::cli {

namespace {

constexpr std::array kOwnOptions{
    Option{.name = "output",
           .value = "OUT",
           .help = "file to write: .html or .md; without it, Markdown on standard output",
           .letter = 'o'},
    Option{.name = "note", .value = "TEXT", .help = "what you have to say of it"},
};
constexpr auto kOptions = joined(kOwnOptions, kLensOptions, kSymbolOptions, kInputOptions);

Result<QByteArray> reportAs(const std::string &output, const Report &report)
{
    return output == "-" ? reportMarkdown(report) : reportFor(QString::fromStdString(output), report);
}

Exit runReport(const Arguments &arguments)
{
    Exit status = Exit::Done;
    const auto opened = open(arguments, {}, status);
    if (!opened)
        return status;
    Evaluator evaluator;
    auto overview = overviewOf(evaluator, opened->snapshot, opened->lens, kReportRows, {});
    if (!overview) {
        complain("nothing can be said of this");
        return Exit::WrongUse;
    }
    const std::string output = arguments.value("output").value_or("-");
    const Report report{.title = QString::fromStdString(titleOf(arguments.files())),
                        .note = QString::fromStdString(arguments.value("note").value_or("")),
                        .lens = opened->lens,
                        .overview = std::make_shared<const Overview>(std::move(*overview)),
                        .flames = reportFlames(opened->snapshot, opened->evaluation, opened->lens)};
    const Result<QByteArray> bytes = reportAs(output, report);
    if (!bytes) {
        complain(bytes.error().message);
        return Exit::WrongUse;
    }
    if (const Result<void> written = writeFile(output, {bytes->constData(), std::size_t(bytes->size())});
        !written) {
        complain(written.error().message);
        return Exit::Unreadable;
    }
    return status;
}

} // namespace

const Command kReport{
    .name = "report",
    .usage = "FILE… [-o OUT.html|OUT.md] [--note TEXT] [filters]",
    .summary = "what a data set is, what weighs most and what is worth a look, for a ticket",
    .examples = "  hearth report cpu.pb.gz\n"
                "  hearth report cpu.pb.gz -o slow-checkout.html --note 'since Tuesday'\n"
                "  hearth report shop.hearth -o shop.html      with the lens and the notes of the workspace\n"
                "  hearth report live.otlp.gz --lens '@service=checkout time=-5min..' -o ticket.md\n",
    .options = kOptions,
    .run = runReport,
};

} // namespace hearth::cli
