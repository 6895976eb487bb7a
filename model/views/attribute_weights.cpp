#include "model/views/attribute_weights.h"

#include "model/lens/attribute_keys.h"
#include "model/views/call_tree.h"
#include "model/views/stack_weights.h"
#include "model/views/time_range.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace hearth {

namespace {

constexpr std::array<std::string_view, 6> kCommonKeys{"process", "service", "container",
                                                      "host",    "thread",  "cpu"};

AttributeFacet facetOf(const Snapshot &snapshot, const std::vector<std::int64_t> &weights, std::string key)
{
    const ResolvedKey resolved = resolveKey(snapshot, key);
    std::unordered_map<std::string, std::int64_t> sums;
    AttributeFacet facet{std::move(key), {}, 0};
    for (std::size_t context = 0; context < weights.size(); ++context) {
        if (weights[context] == 0 || findAttribute(snapshot, ContextId(context), resolved) == nullptr)
            continue;
        addTo(sums[attributeText(snapshot, ContextId(context), resolved)], weights[context]);
        addTo(facet.weight, weights[context]);
    }
    for (auto &[text, weight] : sums)
        facet.values.push_back({text, weight});
    std::ranges::sort(facet.values, [](const AttributeValue &a, const AttributeValue &b) {
        return isHeavier(a.weight, a.text, b.weight, b.text);
    });
    return facet;
}

} // namespace

std::vector<std::string> attributeKeys(const Snapshot &snapshot)
{
    std::vector<std::string> keys;
    std::unordered_set<std::string_view> covered;
    std::unordered_set<std::string_view> present;
    for (const Attribute &attribute : snapshot.attributes)
        present.insert(snapshot.text(attribute.key));
    for (const std::string_view word : kCommonKeys) {
        const std::vector<std::string_view> names = keysNamed(word);
        if (std::ranges::any_of(names, [&](std::string_view name) { return present.contains(name); }))
            keys.emplace_back(word);
        covered.insert(names.begin(), names.end());
    }
    std::vector<std::string> others;
    for (const std::string_view key : present)
        if (!covered.contains(key))
            others.emplace_back(key);
    std::ranges::sort(others);
    keys.insert(keys.end(), others.begin(), others.end());
    return keys;
}

std::optional<std::vector<std::int64_t>>
contextWeights(const Snapshot &snapshot, const SampleSelection &selection, const std::stop_token &stop)
{
    std::vector<std::int64_t> weights(snapshot.contexts.size());
    SampleReader reader(selection);
    for (const SampleTable &table : snapshot.tables)
        for (const SeriesChunk &chunk : chunksOf(table, selection.series)) {
            if (stop.stop_requested())
                return std::nullopt;
            reader.forEachRun(chunk, [&](SampleReader &run) {
                const auto contexts = run.contexts();
                for (std::size_t i = 0; i < contexts.size(); ++i)
                    addTo(weights[contexts[i]], run.values()[i]);
            });
        }
    return weights;
}

std::vector<AttributeFacet> attributeFacets(const Snapshot &snapshot,
                                            const std::vector<std::int64_t> &weights)
{
    std::vector<AttributeFacet> facets;
    for (std::string &key : attributeKeys(snapshot)) {
        AttributeFacet facet = facetOf(snapshot, weights, std::move(key));
        if (!facet.values.empty())
            facets.push_back(std::move(facet));
    }
    return facets;
}

std::optional<std::vector<AttributeFacet>> facetsOf(const Snapshot &snapshot, const Lens &lens,
                                                    const std::stop_token &stop)
{
    const Result<SeriesChoice> series = chooseSeries(snapshot, lens.series);
    if (!series)
        return std::nullopt;
    SampleSelection selection;
    selection.series = *series;
    if (!lens.time.isEverything())
        selection.time = resolve(lens.time, snapshot);
    const auto weights = contextWeights(snapshot, selection, stop);
    if (!weights)
        return std::nullopt;
    return attributeFacets(snapshot, *weights);
}

} // namespace hearth
