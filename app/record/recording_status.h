#pragma once

#include "app/record/recording_failure.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

enum class RecordingPhase : std::uint8_t {
    Launching,
    Authorising, ///< pkexec asks, and nothing was heard of the agent yet
    Recording,
    Stopping, ///< it was told to stop and delivers what it has
    Ended,
    Failed,
};

/// Where a recording is.
struct RecordingStatus {
    RecordingPhase phase = RecordingPhase::Launching;
    std::chrono::steady_clock::time_point began{}; ///< when recording began
    std::chrono::steady_clock::duration elapsed{}; ///< of recording, once that is over
    std::uint64_t samples = 0;
    std::uint64_t lost = 0;           ///< samples and events that there was no room for
    std::uint64_t complete = 0;       ///< user stacks that end at the outermost frame
    std::uint64_t cut = 0;            ///< and those that do not
    std::uint64_t dropped = 0;        ///< messages that did not arrive
    double rate = 0;                  ///< samples a second, by the last report
    std::vector<std::string> missing; ///< capabilities, each with what there is none of without it
    bool isTargetGone = false;        ///< it ended because what was recorded did
    int commandStatus = 0;            ///< of the command that was started, when it has ended
    std::optional<RecordingFailure> failure;

    bool isOver() const { return phase == RecordingPhase::Ended || phase == RecordingPhase::Failed; }

    /// How long it has recorded.
    std::chrono::steady_clock::duration elapsedAt(std::chrono::steady_clock::time_point now) const;
};

/// What the last line of the agent was, where it is about the end.
struct AgentWords {
    bool hasEnded = false;
    std::string failed; ///< why it could not record; empty if it did
};

/// Takes in a line that the agent said on its standard output; agent/session/control.h describes them. What
/// is not known is passed over.
void takeAgentLine(RecordingStatus &status, AgentWords &words, std::string_view line,
                   std::chrono::steady_clock::time_point now);

/// "1 min 4 s", "12 s", "0.3 s"
std::string elapsedText(std::chrono::steady_clock::duration elapsed);

/// "0:12 · 1,940 samples/s", and what was lost, if anything was.
std::string progressText(const RecordingStatus &status, std::chrono::steady_clock::time_point now);

} // namespace hearth
