#include "model/views/code_weights.h"

#include "model/views/named_frames.h"
#include "model/views/stack_weights.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hearth {

namespace {

void add(CodeWeight &sum, const CodeWeight &more)
{
    addTo(sum.self, more.self);
    addTo(sum.total, more.total);
}

/// What an address weighs that a binary of this path has.
struct AddressWeight {
    std::string_view path;
    std::uint64_t address = 0;
    CodeWeight weight;
};

bool isBefore(const AddressWeight &a, const AddressWeight &b)
{
    return std::tie(a.path, a.address) < std::tie(b.path, b.address);
}

/// By path and address, each once.
std::vector<AddressWeight> weightsByAddress(const EntriesView &entries, const EntryWeights &weights)
{
    std::vector<AddressWeight> sorted;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry &entry = entries[EntryId(i)];
        const CodeWeight weight{weights.self[i], weights.total[i]};
        if (entry.address != 0 && weight != CodeWeight())
            sorted.push_back({entry.binary, entry.address, weight});
    }
    std::ranges::sort(sorted, isBefore);
    std::vector<AddressWeight> merged;
    for (const AddressWeight &address : sorted)
        if (!merged.empty() && !isBefore(merged.back(), address))
            add(merged.back().weight, address.weight);
        else
            merged.push_back(address);
    return merged;
}

using Place = std::pair<BinaryId, std::uint64_t>;

/// The places of frames, each once. @param isWanted of a frame
template <class Test>
std::vector<Place> placesOfFrames(const Snapshot &snapshot, Test isWanted)
{
    std::vector<Place> places;
    for (std::size_t frame = 0; frame < snapshot.frames.size(); ++frame) {
        const auto binary = isWanted(frame) ? snapshot.binaryOf(FrameId(frame)) : std::nullopt;
        if (binary && snapshot.frames[frame].address != 0)
            places.emplace_back(*binary, snapshot.frames[frame].address);
    }
    std::ranges::sort(places);
    const auto [first, last] = std::ranges::unique(places);
    places.erase(first, last);
    return places;
}

/// Whether all functions at a frame but the outermost are meant.
bool isInlinedAt(const Snapshot &snapshot, FrameId frame, std::string_view function)
{
    const std::span<const Line> lines = snapshot.linesOf(frame);
    if (lines.empty() || lines.back().function.isNone())
        return false;
    return snapshot.text(snapshot.functions[lines.back().function.value].name) != function;
}

} // namespace

std::optional<CodeWeights> CodeWeights::build(std::shared_ptr<const Snapshot> snapshot,
                                              std::shared_ptr<const Evaluation> byLine,
                                              std::shared_ptr<const Evaluation> byAddress,
                                              const std::stop_token &stop)
{
    CodeWeights weights;
    auto lines = entryWeights(*byLine->tree, stop);
    auto addresses = lines ? entryWeights(*byAddress->tree, stop) : std::nullopt;
    if (!addresses)
        return std::nullopt;
    weights.m_snapshot = std::move(snapshot);
    weights.m_byLine = std::move(byLine);
    weights.m_lines = std::move(*lines);
    const auto sorted = weightsByAddress(byAddress->tree->entries(), *addresses);
    const Snapshot &data = *weights.m_snapshot;
    for (const auto &[binary, address] : placesOfFrames(data, [](std::size_t) { return true; })) {
        const AddressWeight wanted{data.text(data.binaries[binary.value].path), address, {}};
        const auto found = std::ranges::lower_bound(sorted, wanted, isBefore);
        if (found != sorted.end() && !isBefore(wanted, *found))
            weights.m_places.push_back({binary, address, found->weight});
    }
    return weights;
}

/// As entryWeights(), with all lines of the function as one.
CodeWeight CodeWeights::of(std::string_view function) const
{
    const CallTree &tree = *m_byLine->tree;
    std::vector<bool> isLine(tree.entries().size());
    for (std::size_t i = 0; i < isLine.size(); ++i)
        isLine[i] = tree.entries()[EntryId(i)].name == function;
    CodeWeight weight;
    std::vector<bool> isInside(tree.nodeCount()); // below a line of the function, or one
    for (std::size_t i = 1; i < tree.nodeCount(); ++i) {
        const NodeId node(i);
        const bool isBelow = isInside[tree.parent(node).value];
        const bool isIt = isLine[tree.entryOf(node).value];
        isInside[i] = isBelow || isIt;
        if (isIt)
            add(weight, {tree.self(node), isBelow ? 0 : tree.total(node)});
    }
    return weight;
}

std::vector<LineWeight> CodeWeights::linesOf(std::string_view function) const
{
    const EntriesView &entries = m_byLine->tree->entries();
    std::vector<LineWeight> lines;
    for (std::size_t i = 0; i < m_lines.self.size(); ++i)
        if (const Entry &entry = entries[EntryId(i)];
            entry.name == function && (m_lines.self[i] != 0 || m_lines.total[i] != 0))
            lines.push_back({entry.file, entry.line, m_lines.self[i], m_lines.total[i]});
    std::ranges::sort(lines, [](const LineWeight &a, const LineWeight &b) {
        return std::tie(a.file, a.line) < std::tie(b.file, b.line);
    });
    return lines;
}

std::vector<FunctionPlace> CodeWeights::placesOf(std::string_view function) const
{
    const std::vector<bool> isNamed = framesNamed(*m_snapshot, function);
    const auto all = placesOfFrames(*m_snapshot, [&](std::size_t frame) { return isNamed[frame]; });
    const auto inlined = placesOfFrames(*m_snapshot, [&](std::size_t frame) {
        return isNamed[frame] && isInlinedAt(*m_snapshot, FrameId(frame), function);
    });
    std::vector<FunctionPlace> places;
    for (const Place &place : all)
        for (const PlaceWeight &weight : placesIn(place.first, place.second, place.second + 1))
            places.push_back({weight, std::ranges::binary_search(inlined, place)});
    return places;
}

std::span<const PlaceWeight> CodeWeights::placesIn(BinaryId binary, std::uint64_t begin,
                                                   std::uint64_t end) const
{
    const auto key = [](const PlaceWeight &place) { return Place(place.binary, place.offset); };
    const auto first = std::ranges::lower_bound(m_places, Place(binary, begin), {}, key);
    const auto last = std::ranges::lower_bound(m_places, Place(binary, std::max(begin, end)), {}, key);
    return {first, last};
}

Result<std::shared_ptr<const CodeWeights>> CodeWeigher::weigh(const std::shared_ptr<const Snapshot> &snapshot,
                                                              const Lens &lens, const std::stop_token &stop)
{
    Lens byLine = lens;
    byLine.granularity = Granularity::Line;
    byLine.groupBy.clear();
    const auto lines = m_byLine.evaluate(snapshot, byLine, stop);
    if (!lines)
        return tl::unexpected(lines.error());
    Lens byAddress = byLine;
    byAddress.granularity = Granularity::Address;
    byAddress.noInlines = true; // one row for an address, whatever was inlined there
    const auto addresses = m_byAddress.evaluate(snapshot, byAddress, stop);
    if (!addresses)
        return tl::unexpected(addresses.error());
    if (*lines == nullptr || *addresses == nullptr)
        return nullptr;
    if (m_last && *lines == m_lines && *addresses == m_addresses)
        return m_last;
    auto weights = CodeWeights::build(snapshot, *lines, *addresses, stop);
    if (!weights)
        return nullptr;
    m_lines = *lines;
    m_addresses = *addresses;
    m_last = std::make_shared<const CodeWeights>(std::move(*weights));
    return m_last;
}

} // namespace hearth
