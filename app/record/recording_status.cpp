#include "app/record/recording_status.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace hearth {

namespace {

using Clock = std::chrono::steady_clock;

/// Takes what is up to the next blank off the text.
std::string_view nextWord(std::string_view &text)
{
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    return word;
}

void takeCount(RecordingStatus &status, std::string_view word)
{
    struct Count {
        std::string_view name;
        std::uint64_t RecordingStatus::*member;
    };
    constexpr std::array kCounts{
        Count{"samples", &RecordingStatus::samples}, Count{"lost", &RecordingStatus::lost},
        Count{"complete", &RecordingStatus::complete}, Count{"cut", &RecordingStatus::cut},
        Count{"dropped", &RecordingStatus::dropped}};
    const std::size_t equals = std::min(word.find('='), word.size());
    const auto *count = std::ranges::find(kCounts, word.substr(0, equals), &Count::name);
    std::uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(word.data() + std::min(equals + 1, word.size()), word.data() + word.size(), number);
    if (count != kCounts.end() && error == std::errc() && end == word.data() + word.size())
        status.*count->member = number;
}

void takeCounts(RecordingStatus &status, std::string_view line, Clock::time_point now)
{
    const std::uint64_t before = status.samples;
    const auto elapsedBefore = status.elapsed;
    while (!line.empty())
        takeCount(status, nextWord(line));
    if (status.phase != RecordingPhase::Recording)
        return;
    status.elapsed = now - status.began;
    const double seconds = std::chrono::duration<double>(status.elapsed - elapsedBefore).count();
    constexpr double kShortest = 0.1; // the last two reports may follow each other at once
    if (seconds >= kShortest && status.samples >= before)
        status.rate = static_cast<double>(status.samples - before) / seconds;
}

std::string grouped(std::uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, ",");
    return text;
}

} // namespace

Clock::duration RecordingStatus::elapsedAt(Clock::time_point now) const
{
    switch (phase) {
    case RecordingPhase::Launching:
    case RecordingPhase::Authorising:
        return {};
    case RecordingPhase::Recording:
        return now - began;
    default:
        return elapsed;
    }
}

void takeAgentLine(RecordingStatus &status, AgentWords &words, std::string_view line, Clock::time_point now)
{
    const std::string_view whole = line;
    const std::string_view first = nextWord(line);
    if (first == "missing") {
        const std::string name(nextWord(line));
        status.missing.push_back(name + ": " + std::string(line));
    } else if (first == "recording") {
        status.began = now;
        if (status.phase != RecordingPhase::Stopping)
            status.phase = RecordingPhase::Recording;
    } else if (first.starts_with("samples=")) {
        takeCounts(status, whole, now);
    } else if (first == "ended") {
        words.hasEnded = true;
    } else if (first == "failed") {
        words.failed = line.empty() ? "the sampler did not say why" : std::string(line);
    }
}

std::string elapsedText(Clock::duration elapsed)
{
    const double seconds = std::chrono::duration<double>(elapsed).count();
    constexpr double kMinute = 60;
    std::array<char, 64> text{};
    if (seconds < 9.95)
        std::snprintf(text.data(), text.size(), "%.1f s", std::max(0.0, seconds));
    else if (seconds < kMinute - 0.5)
        std::snprintf(text.data(), text.size(), "%.0f s", seconds);
    else
        std::snprintf(text.data(), text.size(), "%.0f min %.0f s", std::floor(std::round(seconds) / kMinute),
                      std::fmod(std::round(seconds), kMinute));
    return text.data();
}

std::string progressText(const RecordingStatus &status, Clock::time_point now)
{
    switch (status.phase) {
    case RecordingPhase::Launching:
        return "starting the sampler";
    case RecordingPhase::Authorising:
        return "waiting for authorisation";
    case RecordingPhase::Ended:
    case RecordingPhase::Failed:
        return {};
    default:
        break;
    }
    std::string text = elapsedText(status.elapsedAt(now)) + " · " +
                       grouped(static_cast<std::uint64_t>(std::llround(status.rate))) + " samples/s";
    if (status.phase == RecordingPhase::Stopping)
        text = "stopping · " + elapsedText(status.elapsed) + " · " + grouped(status.samples) + " samples";
    if (status.lost > 0)
        text += " · " + grouped(status.lost) + " lost";
    if (status.dropped > 0)
        text += " · " + grouped(status.dropped) + " messages not delivered";
    return text;
}

} // namespace hearth
