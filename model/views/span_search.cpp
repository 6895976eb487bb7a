#include "model/views/span_search.h"

#include "model/lens/compiled_lens.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace hearth {

std::optional<std::vector<SpanNameHit>> findSpanNames(const Snapshot &snapshot, std::string_view typed,
                                                      std::size_t limit, const std::stop_token &stop)
{
    std::unordered_map<StringId, std::uint64_t> counts;
    for (const auto &chunk : snapshot.spans.chunks) {
        if (stop.stop_requested())
            return std::nullopt;
        for (const Span &span : chunk->rows)
            ++counts[span.name];
    }
    std::vector<SpanNameHit> hits;
    for (const auto &[name, spans] : counts)
        if (const NameFit fit = fitOf(snapshot.text(name), typed); fit < NameFit::Letters)
            hits.push_back({name, fit, spans});
    const std::size_t kept = std::min(limit, hits.size());
    std::ranges::partial_sort(
        hits, hits.begin() + static_cast<std::ptrdiff_t>(kept), {},
        [&](const SpanNameHit &hit) { return std::tuple(hit.fit, ~hit.spans, snapshot.text(hit.name)); });
    hits.resize(kept);
    return hits;
}

LinkId findTrace(const Snapshot &snapshot, std::string_view hexDigits)
{
    constexpr std::size_t kFewest = 6;
    constexpr std::size_t kMost = 32;
    const bool isHex = hexDigits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    if (!isHex || hexDigits.size() < kFewest || hexDigits.size() > kMost)
        return LinkId::none();
    const TracePrefix prefix(hexDigits);
    for (std::size_t link = 1; link < snapshot.links.size(); ++link)
        if (prefix.matches(snapshot.links[link].trace))
            return LinkId(link);
    return LinkId::none();
}

} // namespace hearth
