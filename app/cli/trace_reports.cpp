#include "app/cli/trace_reports.h"

#include "app/cli/terminal.h"
#include "model/lens/lens_text.h"
#include "model/lens/units.h"

#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

namespace hearth::cli {

namespace {

/// "2 spans end before they start; …"; empty if nothing is wrong.
std::string faultsText(const SpanFaults &faults, std::uint64_t cyclic)
{
    const std::vector<std::pair<std::uint64_t, const char *>> kinds{
        {faults.orphans, "name a parent that was not received"},
        {faults.reversed, "end before they start"},
        {faults.duplicates, "have the id of another"},
        {faults.withoutId, "have no valid id"},
        {cyclic, "are ancestors of themselves"}};
    std::string text;
    for (const auto &[count, what] : kinds)
        if (count > 0)
            text += (text.empty() ? "of the spans, " : "; ") + std::to_string(count) + ' ' + what;
    return text;
}

Result<Evaluation> matchedSamples(const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens)
{
    if (snapshot->tables.empty())
        return Evaluation();
    const auto evaluation = Evaluator().evaluate(snapshot, lens);
    if (!evaluation)
        return tl::unexpected(evaluation.error());
    return **evaluation;
}

} // namespace

std::optional<OpenedTraces> openTraces(const Arguments &arguments, Lens lens, Exit &status)
{
    OpenedTraces opened;
    opened.snapshot = openFiles(arguments, status);
    if (!opened.snapshot)
        return std::nullopt;
    auto samples = matchedSamples(opened.snapshot, lens);
    auto traces = TraceEvaluator().evaluate(opened.snapshot, lens);
    if (!samples || !traces) {
        complain(samples ? traces.error().message : samples.error().message);
        status = Exit::WrongUse;
        return std::nullopt;
    }
    if (lens.estimatesLinks)
        complain("samples without a link are counted to the span of their thread and time: an estimate");
    opened.samples = std::move(*samples);
    opened.traces = std::move(*traces);
    const SpanStudy &study = *opened.traces->study;
    if (const std::string faults = faultsText(study.table.faults(), study.order.cyclic); !faults.empty())
        complain(faults);
    if (opened.table().size() == 0 && opened.traces->traces.empty())
        complain("there are no spans, and no samples that are linked to any");
    else if (opened.traces->traces.empty())
        complain("no traces match " + printLens(lens));
    return opened;
}

std::string timeText(std::int64_t ns)
{
    if (ns <= 0)
        return "-";
    using namespace std::chrono;
    const sys_seconds seconds{floor<std::chrono::seconds>(nanoseconds(ns))};
    const sys_days day = floor<days>(seconds);
    const year_month_day date{day};
    const hh_mm_ss time{seconds - day};
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                  static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()),
                  static_cast<int>(ns / 1'000'000 % 1000));
    return text.data();
}

std::string durationText(std::int64_t ns)
{
    return humanValue(ns, "nanoseconds");
}

} // namespace hearth::cli
