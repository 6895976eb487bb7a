#include "model/views/data_set_facts.h"

#include "model/lens/attribute_keys.h"
#include "model/views/time_range.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace hearth {

namespace {

std::string joinedTexts(const Snapshot &snapshot, std::string Origin::*text)
{
    std::set<std::string> texts;
    for (const Origin &origin : snapshot.origins)
        if (!(origin.*text).empty())
            texts.insert(origin.*text);
    std::string all;
    for (const std::string &one : texts)
        all += (all.empty() ? "" : ", ") + one;
    return all;
}

std::vector<SeriesFacts> seriesOf(const Snapshot &snapshot)
{
    std::vector<SeriesFacts> all;
    for (const SeriesChoice &choice : offeredSeries(snapshot)) {
        SeriesFacts facts{choice, seriesTotal(snapshot, choice), 0, {}};
        for (const SampleTable &table : snapshot.tables)
            if (std::ranges::find(table.series, choice.stored) != table.series.end() && facts.period == 0) {
                facts.period = table.period;
                facts.periodType = snapshot.text(table.periodType);
                if (const std::string_view unit = snapshot.text(table.periodUnit); !unit.empty())
                    facts.periodType += '/' + std::string(unit);
            }
        all.push_back(std::move(facts));
    }
    return all;
}

std::vector<AttributeFacts> attributesOf(const Snapshot &snapshot)
{
    std::set<AttributeSetId> resources;
    for (const Context &context : snapshot.contexts)
        resources.insert(context.resource);
    std::map<std::string_view, AttributeFacts> facts;
    for (const Attribute &attribute : snapshot.attributes) {
        AttributeFacts &key = facts[snapshot.text(attribute.key)];
        key.only = key.values++ == 0 ? printAttribute(snapshot, attribute) : std::string();
    }
    for (const AttributeSetId resource : resources)
        for (const AttributeId attribute : snapshot.attributesOf(resource))
            facts[snapshot.text(snapshot.attributes[attribute.value].key)].isOfResource = true;
    std::vector<AttributeFacts> all;
    for (auto &[key, fact] : facts) {
        fact.key = key;
        all.push_back(std::move(fact));
    }
    return all;
}

/// Of what has no samples with times: of its records, or of the profiles as a whole.
TimeRange recordTimesOf(const Snapshot &snapshot)
{
    TimeRange all{0, 0};
    const auto extend = [&](std::uint64_t begin, std::uint64_t end) {
        constexpr std::uint64_t kLatest = std::numeric_limits<std::int64_t>::max();
        if (begin == 0 || begin > kLatest || end > kLatest)
            return;
        const auto from = static_cast<std::int64_t>(begin);
        all.begin = all.begin == 0 ? from : std::min(all.begin, from);
        all.end = std::max({all.end, from, static_cast<std::int64_t>(end)});
    };
    snapshot.spans.forEach([&](const SpanChunk &, const Span &span) { extend(span.startNs, span.endNs); });
    snapshot.logs.forEach([&](const LogChunk &, const LogRecord &record) {
        extend(record.effectiveTimeNs(), record.effectiveTimeNs());
    });
    snapshot.points.forEach(
        [&](const MetricChunk &, const MetricPoint &point) { extend(point.timeNs, point.timeNs); });
    for (const Origin &origin : snapshot.origins) {
        if (origin.timeNs == 0)
            continue;
        all.begin = all.begin == 0 ? origin.timeNs : std::min(all.begin, origin.timeNs);
        std::int64_t end = 0;
        if (!__builtin_add_overflow(origin.timeNs, origin.durationNs, &end))
            all.end = std::max(all.end, end);
    }
    return all;
}

} // namespace

DataSetFacts factsOf(const Snapshot &snapshot)
{
    DataSetFacts facts;
    facts.format = joinedTexts(snapshot, &Origin::format);
    facts.generation = joinedTexts(snapshot, &Origin::generation);
    facts.series = seriesOf(snapshot);
    if (const auto choice = chooseSeries(snapshot, {}))
        facts.defaultSeries = choice->name();
    facts.attributes = attributesOf(snapshot);
    const TimeRange times = timeSpanOf(snapshot).value_or(recordTimesOf(snapshot));
    facts.from = times.begin;
    facts.to = times.end;
    return facts;
}

} // namespace hearth
