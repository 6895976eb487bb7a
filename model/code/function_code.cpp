#include "model/code/function_code.h"

#include "model/views/stack_weights.h"

#include <algorithm>
#include <span>

namespace hearth {

namespace {

void add(CodeWeight &sum, std::int64_t self, std::int64_t total)
{
    addTo(sum.self, self);
    addTo(sum.total, total);
}

template <class Part>
void orderByWeight(std::vector<Part> &parts)
{
    std::ranges::stable_sort(parts, [](const Part &a, const Part &b) {
        return absolute(a.weight.total) > absolute(b.weight.total);
    });
}

std::vector<FunctionSource> sourcesOf(const std::vector<LineWeight> &lines)
{
    std::vector<FunctionSource> sources;
    for (const LineWeight &line : lines) {
        if (line.file.empty())
            continue;
        if (sources.empty() || sources.back().file != line.file)
            sources.push_back({.file = std::string(line.file), .lines = {}, .weight = {}, .binary = {}});
        sources.back().lines.push_back(line);
        add(sources.back().weight, line.self, line.total);
    }
    orderByWeight(sources);
    return sources;
}

/// Adds the occurrences in one binary.
void addOccurrences(std::span<const FunctionPlace> places, const Snapshot &snapshot, CodeReader &reader,
                    FunctionCode &code)
{
    std::vector<std::uint64_t> offsets;
    for (const FunctionPlace &place : places)
        offsets.push_back(place.place.offset);
    auto extents = reader.extentsOf(snapshot, places.front().place.binary, offsets);
    if (!extents)
        return code.problems.push_back(extents.error().message);
    for (CodeExtent &extent : *extents) {
        FunctionOccurrence occurrence{.extent = std::move(extent), .weight = {}};
        for (const FunctionPlace &place : places)
            if (occurrence.extent.contains(place.place.offset)) {
                add(occurrence.weight, place.place.weight.self, place.place.weight.total);
                occurrence.isInlined |= place.isInlined;
            }
        code.occurrences.push_back(std::move(occurrence));
    }
}

} // namespace

FunctionCode codeOf(const CodeWeights &weights, const Snapshot &snapshot, std::string_view function,
                    CodeReader *reader)
{
    FunctionCode code{.function = std::string(function),
                      .weight = weights.of(function),
                      .sources = sourcesOf(weights.linesOf(function)),
                      .occurrences = {},
                      .problems = {}};
    const std::vector<FunctionPlace> places = weights.placesOf(function);
    if (!places.empty())
        for (FunctionSource &source : code.sources)
            source.binary = places.front().place.binary;
    for (auto first = places.begin(); reader != nullptr && first != places.end();) {
        const auto last = std::find_if(first, places.end(), [&](const FunctionPlace &place) {
            return place.place.binary != first->place.binary;
        });
        addOccurrences({first, last}, snapshot, *reader, code);
        first = last;
    }
    orderByWeight(code.occurrences);
    return code;
}

std::vector<CodeWeight> weightsOf(const Disassembly &disassembly, const CodeWeights &weights)
{
    std::vector<CodeWeight> sums(disassembly.instructions.size());
    const std::vector<std::uint64_t> &offsets = disassembly.offsets;
    const CodeExtent &extent = disassembly.extent;
    for (const PlaceWeight &place : weights.placesIn(extent.binary, extent.begin, extent.end)) {
        const auto next = std::ranges::upper_bound(offsets, place.offset);
        if (next != offsets.begin())
            add(sums[static_cast<std::size_t>(next - offsets.begin() - 1)], place.weight.self,
                place.weight.total);
    }
    return sums;
}

const CodePlace *placeIn(const Disassembly &disassembly, const Instruction &instruction,
                         std::string_view function)
{
    const auto places = disassembly.placesOf(instruction);
    for (const CodePlace &place : places)
        if (disassembly.functions[place.function] == function)
            return &place;
    return places.empty() ? nullptr : &places.back();
}

} // namespace hearth
