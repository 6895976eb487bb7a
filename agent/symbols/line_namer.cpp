#include "agent/symbols/line_namer.h"

#include <algorithm>
#include <functional>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostKnown = 16; ///< each takes memory by its units and largest piece

/// Of frames in the order of their places in the file.
std::vector<std::pair<std::uint64_t, FrameId>> placesOf(const UnnamedFrames &unnamed)
{
    std::vector<std::pair<std::uint64_t, FrameId>> places;
    for (const auto &[frame, address] : unnamed.frames)
        if (const auto offset = unnamed.file->offsetOfAddress(address))
            places.emplace_back(*offset, frame);
    std::ranges::sort(places, {}, [](const auto &place) { return place.first; });
    return places;
}

} // namespace

void LineNamer::name(Profile &profile, bool isHurried)
{
    ++m_round;
    std::ranges::sort(profile.unnamed, std::greater(), &UnnamedFrames::weight);
    for (const UnnamedFrames &unnamed : profile.unnamed) {
        const auto places = placesOf(unnamed);
        std::vector<std::uint64_t> offsets;
        for (const auto &place : places)
            offsets.push_back(place.first);
        const auto chains = programOf(unnamed, isHurried).namesOf(offsets);
        for (std::size_t i = 0; i < places.size(); ++i)
            profile.setChain(profile.batch.frames[places[i].second.value], chains[i]);
    }
    profile.unnamed.clear();
    forgetOld();
}

const Program &LineNamer::programOf(const UnnamedFrames &unnamed, bool isHurried)
{
    Known &known = m_known[unnamed.file.get()];
    known.file = unnamed.file;
    known.lastUse = m_round;
    if (!known.hasLines && !isHurried) {
        known.program = withLines(unnamed);
        known.hasLines = true;
    } else if (!known.program) {
        known.program = std::make_unique<Program>(
            ProgramFiles{.program = unnamed.file, .debug = nullptr, .supplement = nullptr},
            PlaceDetail::Functions);
    }
    return *known.program;
}

/// The debug file is looked for where systems keep them; the program is the one that ran.
std::unique_ptr<Program> LineNamer::withLines(const UnnamedFrames &unnamed)
{
    if (!m_finder) {
        SearchPlaces places;
        places.debuginfod.cache.clear();
        m_finder.emplace(std::move(places));
    }
    ProgramFiles files = m_finder->find(unnamed.identity, {}, 0).files;
    if (!files.program)
        files.debug = unnamed.file->section(".debug_info") != nullptr ? unnamed.file : nullptr;
    files.program = unnamed.file;
    return std::make_unique<Program>(std::move(files));
}

void LineNamer::forgetOld()
{
    while (m_known.size() > kMostKnown)
        m_known.erase(
            std::ranges::min_element(m_known, {}, [](const auto &known) { return known.second.lastUse; }));
}

} // namespace hearth::agent
