#include "model/views/series_choice.h"

#include <algorithm>
#include <charconv>

namespace hearth {

namespace {

constexpr std::string_view kRowsOf = "rows:";

bool isTimeUnit(std::string_view unit)
{
    return unit == "nanoseconds" || unit == "microseconds" || unit == "milliseconds" || unit == "seconds";
}

bool isOffered(const std::vector<SeriesChoice> &choices, const SeriesChoice &wanted)
{
    return std::ranges::any_of(choices,
                               [&](const SeriesChoice &choice) { return choice.name() == wanted.name(); });
}

/// The time that the counts of a table stand for.
std::vector<SeriesChoice> timesOfCounts(const Snapshot &snapshot, const SampleTable &table)
{
    std::vector<SeriesChoice> times;
    const std::string_view unit = snapshot.text(table.periodUnit);
    if (table.period <= 0 || !isTimeUnit(unit))
        return times;
    for (const SeriesId id : table.series)
        if (snapshot.text(snapshot.series[id.value].unit) == "count")
            times.push_back({.stored = id,
                             .timesPeriod = true,
                             .type = std::string(snapshot.text(table.periodType)),
                             .unit = std::string(unit)});
    return times;
}

std::vector<SeriesChoice> storedSeries(const Snapshot &snapshot)
{
    std::vector<SeriesChoice> stored;
    for (std::size_t i = 0; i < snapshot.series.size(); ++i)
        stored.push_back({.stored = SeriesId(i),
                          .timesPeriod = false,
                          .type = std::string(snapshot.text(snapshot.series[i].type)),
                          .unit = std::string(snapshot.text(snapshot.series[i].unit))});
    return stored;
}

std::string listOf(const std::vector<SeriesChoice> &choices)
{
    std::string list;
    for (const SeriesChoice &choice : choices)
        list += (list.empty() ? "" : ", ") + choice.name();
    return list;
}

SeriesChoice defaultSeries(const Snapshot &snapshot, const std::vector<SeriesChoice> &stored)
{
    for (const Origin &origin : snapshot.origins)
        if (!origin.defaultSeries.empty())
            for (const SeriesChoice &choice : stored)
                if (choice.type == origin.defaultSeries)
                    return choice;
    for (const SampleTable &table : snapshot.tables)
        if (!table.series.empty())
            return stored[table.series.back().value];
    return stored.back();
}

/// OTLP's profilers count samples where pprof's give their time as well, which is what people ask about.
SeriesChoice openingSeries(const Snapshot &snapshot, const std::vector<SeriesChoice> &offered,
                           const SeriesChoice &stored)
{
    if (snapshot.origins.empty() || snapshot.origins.front().format != "otlp")
        return stored;
    const auto time = std::ranges::find_if(offered, [&](const SeriesChoice &choice) {
        return choice.timesPeriod && choice.stored == stored.stored;
    });
    return time == offered.end() ? stored : *time;
}

} // namespace

std::vector<SeriesChoice> offeredSeries(const Snapshot &snapshot)
{
    std::vector<SeriesChoice> choices = storedSeries(snapshot);
    for (const SampleTable &table : snapshot.tables)
        for (SeriesChoice &time : timesOfCounts(snapshot, table))
            if (!isOffered(choices, time))
                choices.push_back(std::move(time));
    return choices;
}

Result<SeriesChoice> chooseSeries(const Snapshot &snapshot, std::string_view name)
{
    if (name.starts_with(kRowsOf)) {
        Result<SeriesChoice> series = chooseSeries(snapshot, name.substr(kRowsOf.size()));
        if (series && !series->countsRows)
            *series = {.stored = series->stored,
                       .timesPeriod = false,
                       .type = std::string(kRowsOf) + series->name(),
                       .unit = "count",
                       .countsRows = true};
        return series;
    }
    const std::vector<SeriesChoice> stored = storedSeries(snapshot);
    if (stored.empty())
        return failure("there are no series, hence no samples to show");
    const std::vector<SeriesChoice> offered = offeredSeries(snapshot);
    if (name.empty())
        return openingSeries(snapshot, offered, defaultSeries(snapshot, stored));
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) {
        if (number < stored.size())
            return stored[number];
        return failure("series " + std::string(name) + " is outside the range 0 to " +
                       std::to_string(stored.size() - 1));
    }
    constexpr std::string_view kInUse = "inuse_";
    const std::string_view withoutInUse = name.starts_with(kInUse) ? name.substr(kInUse.size()) : name;
    for (const SeriesChoice &choice : offered)
        if (choice.name() == name || choice.type == name || choice.type == withoutInUse)
            return choice;
    return failure("no series is called '" + std::string(name) + "'; there are " + listOf(offered));
}

} // namespace hearth
