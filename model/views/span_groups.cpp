#include "model/views/span_groups.h"

#include "model/store/row_index.h"
#include "model/views/parallel.h"
#include "model/views/row_sort.h"
#include "model/views/service_names.h"
#include "model/views/stack_weights.h"
#include "model/views/string_ranks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

namespace hearth {

namespace {

constexpr std::uint32_t kNoGroup = 0xffffffffU;

/// Numbers the pairs of service and name.
class GroupIndex {
public:
    std::uint32_t groupOf(StringId service, StringId name, std::vector<SpanGroup> &groups)
    {
        const std::uint64_t key = (std::uint64_t(service.value) << 32U) | name.value;
        if (key == m_lastKey && m_last != kNoGroup) // spans of a kind often come together
            return m_last;
        const std::uint64_t hash = mixHash(key, 0);
        std::uint32_t group = m_index.find(hash, [&](std::uint32_t other) {
            return groups[other].service == service && groups[other].name == name;
        });
        if (group == RowIndex::kNoRow) {
            group = static_cast<std::uint32_t>(groups.size());
            SpanGroup added;
            added.service = service;
            added.name = name;
            groups.push_back(added);
            m_index.insert(hash, group);
        }
        m_lastKey = key;
        m_last = group;
        return group;
    }

private:
    RowIndex m_index;
    std::uint64_t m_lastKey = 0;
    std::uint32_t m_last = kNoGroup;
};

void addSpan(SpanGroup &group, const SpanTable &table, const LinkWeights &weights, SpanRow row)
{
    const LinkId link = table.link(row);
    ++group.count;
    group.failed += (table.marks(row) & kSpanFailed) != 0;
    group.longestNs = std::max(group.longestNs, table.durationNs(row));
    if (table.rowOf(link) != row)
        return; // of several spans with an id, one has the samples
    group.samples += weights.samples[link.value];
    addTo(group.onCpuNs, weights.onCpuNs[link.value]);
    addTo(group.waitingNs, weights.waitingNs(link));
}

/// The shortest duration that is not exceeded by this share of them.
std::int64_t quantile(std::span<std::int64_t> durations, double share)
{
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(durations.size())));
    const auto at = durations.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
    std::ranges::nth_element(durations, at);
    return *at;
}

void addQuantiles(SpanGroups &groups, const SpanTable &table)
{
    std::vector<std::int64_t> durations(groups.spans.size());
    for (std::size_t i = 0; i < durations.size(); ++i)
        durations[i] = table.durationNs(groups.spans[i]);
    forEachPart(groups.groups.size(), 1, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            SpanGroup &group = groups.groups[i];
            const std::span own = std::span(durations).subspan(group.begin, group.count);
            group.p50Ns = quantile(own, 0.5);
            group.p90Ns = quantile(own, 0.9);
            group.p99Ns = quantile(own, 0.99);
        }
    });
}

} // namespace

std::optional<SpanGroups> spanGroups(const Snapshot &snapshot, const SpanTable &table,
                                     const LinkWeights &weights, std::span<const std::uint8_t> isShown,
                                     const std::stop_token &stop)
{
    SpanGroups result;
    GroupIndex index;
    ServiceNames services(snapshot);
    std::vector<std::uint32_t> groupOf(table.size(), kNoGroup);
    for (std::size_t i = 0; i < table.size(); ++i) {
        if ((i & 0xffffU) == 0 && stop.stop_requested())
            return std::nullopt;
        if (!isShown.empty() && isShown[i] == 0)
            continue;
        const SpanRow row(i);
        groupOf[i] = index.groupOf(services.of(table.context(row)), table.name(row), result.groups);
        addSpan(result.groups[groupOf[i]], table, weights, row);
    }
    std::uint32_t next = 0;
    for (SpanGroup &group : result.groups) {
        group.begin = next;
        next += group.count;
    }
    std::vector<std::uint32_t> ends(result.groups.size());
    std::ranges::transform(result.groups, ends.begin(), &SpanGroup::begin);
    result.spans.resize(next);
    for (std::size_t i = 0; i < table.size(); ++i)
        if (groupOf[i] != kNoGroup)
            result.spans[ends[groupOf[i]]++] = SpanRow(i);
    std::ranges::stable_sort(result.groups, std::ranges::greater(), &SpanGroup::count);
    addQuantiles(result, table);
    return result;
}

std::vector<std::uint32_t> arrangedGroups(const Snapshot &snapshot, std::span<const SpanGroup> groups,
                                          GroupKey key, bool isDescending)
{
    std::vector<std::uint32_t> rows(groups.size());
    std::iota(rows.begin(), rows.end(), 0U);
    const auto by = [&](auto numberOf) {
        return rowsByNumber(rows, isDescending, [&](std::uint32_t row) {
            return static_cast<std::int64_t>(numberOf(groups[row]));
        });
    };
    const auto byText = [&](StringId SpanGroup::*text) {
        std::vector<StringId> used(groups.size());
        std::ranges::transform(groups, used.begin(), text);
        const std::vector<std::uint32_t> ranks = stringRanks(snapshot, std::move(used));
        return by([&](const SpanGroup &group) { return ranks[(group.*text).value]; });
    };
    switch (key) {
    case GroupKey::Name:
        return byText(&SpanGroup::name);
    case GroupKey::Service:
        return byText(&SpanGroup::service);
    case GroupKey::Count:
        return by([](const SpanGroup &group) { return group.count; });
    case GroupKey::Failed: // the share
        return by([](const SpanGroup &group) { return (std::uint64_t(group.failed) << 31U) / group.count; });
    case GroupKey::P50:
        return by([](const SpanGroup &group) { return group.p50Ns; });
    case GroupKey::P99:
        return by([](const SpanGroup &group) { return group.p99Ns; });
    case GroupKey::OnCpu:
        return by([](const SpanGroup &group) { return group.onCpuNs; });
    }
    return rows;
}

std::int64_t LatencyHistogram::beginOf(std::size_t bin) const
{
    const double share = static_cast<double>(bin) / static_cast<double>(counts.size());
    return static_cast<std::int64_t>(std::min(std::round(std::exp(low + share * range)), 9.2e18));
}

std::size_t LatencyHistogram::binOf(std::int64_t durationNs) const
{
    const double place = std::log(static_cast<double>(std::max<std::int64_t>(durationNs, 1))) - low;
    const double bin = std::max(place / range, 0.0) * static_cast<double>(counts.size());
    return std::min(static_cast<std::size_t>(bin), counts.size() - 1);
}

LatencyHistogram latencyHistogram(const SpanTable &table, std::span<const SpanRow> spans, std::size_t bins)
{
    LatencyHistogram histogram;
    histogram.counts.resize(bins);
    histogram.failed.resize(bins);
    if (spans.empty() || bins == 0)
        return histogram;
    const auto durationOf = [&](SpanRow row) { return table.durationNs(row); };
    const auto [shortest, longest] = std::ranges::minmax(spans | std::views::transform(durationOf));
    constexpr double kLeastRange = 0.01; // spans that all last the same are in one bin, too
    histogram.low = std::log(static_cast<double>(std::max<std::int64_t>(shortest, 1)));
    histogram.range = std::max(
        kLeastRange, std::log(static_cast<double>(std::max<std::int64_t>(longest, 1))) - histogram.low);
    for (const SpanRow row : spans) {
        const std::size_t bin = histogram.binOf(table.durationNs(row));
        ++histogram.counts[bin];
        histogram.failed[bin] += (table.marks(row) & kSpanFailed) != 0;
    }
    return histogram;
}

} // namespace hearth
