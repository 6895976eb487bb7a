#pragma once

#include "app/record/gated_command.h"
#include "app/record/launch.h"
#include "app/record/recording_request.h"
#include "app/record/recording_status.h"

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hearth {

class ChildProcess;

/// A recording as it is ordered: what, and where its data goes.
struct RecordingOrder {
    RecordingRequest request;
    std::vector<std::string> delivery;       ///< the agent's words for it: `--to unix:…`, `--output …`
    std::vector<std::string> deliveryByHand; ///< for an agent that somebody starts by hand instead
    bool isInTerminal = false;               ///< what is started may use this terminal
};

/// One recording, from finding the agent to its last word, in a thread of its own.
///
///     Launching ─▶ (Authorising) ─▶ Recording ─▶ Stopping ─▶ Ended
///         └──────────────┴──────────────┴───────────┴──────▶ Failed
///
/// It stops when it is asked to, and when the processes that are recorded have ended. An agent whose program
/// is gone stops by itself: its input has come to an end.
class RecordingRun {
public:
    /// @param changed called by the thread when the status is another
    RecordingRun(RecordingOrder order, LaunchPlaces places, std::function<void()> changed);
    RecordingRun(const RecordingRun &) = delete;
    RecordingRun &operator=(const RecordingRun &) = delete;
    /// Lets the agent end by itself; does not wait for it.
    ~RecordingRun();

    /// Returns at once; what was sampled is still delivered.
    void stop();

    RecordingStatus status() const;

private:
    class Watch;

    void work();
    bool prepare();
    bool agentFits();
    bool watchTargets();
    bool startCommand();
    void record();
    void takeOutput(std::string &rest, const std::string &bytes);
    void letCommandGo(ChildProcess &agent);
    void takeEnds(ChildProcess &agent, Watch &watch);
    void tellToStop(ChildProcess &agent);
    void conclude(int exitStatus, const std::string &errors);
    bool fail(RecordingFailure failure);
    template <class Change>
    void change(const Change &change);
    bool wasAsked(bool RecordingRun::*what) const;
    std::vector<std::string> wordsByHand() const;

    const RecordingOrder m_order;
    const LaunchPlaces m_places;
    const std::function<void()> m_changed;
    LaunchPlan m_plan;
    std::optional<GatedCommand> m_command;
    std::vector<int> m_targets; ///< descriptors of the processes that still run
    AgentWords m_words;
    bool m_wasTold = false; ///< the agent, to stop
    std::optional<RecordingFailure> m_commandFailure;
    int m_wake = -1; ///< an eventfd that interrupts waiting

    mutable std::mutex m_mutex;
    RecordingStatus m_status; ///< guarded by m_mutex
    bool m_isToStop = false;  ///< guarded by m_mutex
    bool m_isToQuit = false;  ///< guarded by m_mutex
    std::jthread m_thread;    ///< last: it uses the others
};

} // namespace hearth
