#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hearth {

/// What is to be recorded, and how: the whole machine unless one of processes, cgroup or command is given.
struct RecordingRequest {
    std::vector<pid_t> processes = {};     ///< with their descendants
    std::string cgroup = {};               ///< path of its directory
    std::vector<std::string> command = {}; ///< to be started and followed
    std::string directory = {};            ///< where the command is started; empty: here
    unsigned frequency = 0;                ///< samples a second and processor; 0: as the agent likes
    bool isOffCpu = false;                 ///< also where threads wait
    std::string event = {};                ///< as `hearth-agent --event` has it; empty: as the agent likes
    bool hasPageFaults = false;            ///< also page faults
    bool hasSwitches = false;              ///< also context switches
    std::string symbols = {};              ///< as `hearth-agent --symbols` has it; empty: as the agent likes
};

/// The words behind `hearth-agent` that ask for it. The command is not among them: it is started here.
std::vector<std::string> agentOptions(const RecordingRequest &request);

} // namespace hearth
