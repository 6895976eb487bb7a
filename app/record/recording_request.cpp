#include "app/record/recording_request.h"

namespace hearth {

std::vector<std::string> agentOptions(const RecordingRequest &request)
{
    std::vector<std::string> words;
    for (const pid_t process : request.processes)
        words.insert(words.end(), {"--pid", std::to_string(process)});
    if (!request.cgroup.empty())
        words.insert(words.end(), {"--cgroup", request.cgroup});
    if (request.frequency > 0)
        words.insert(words.end(), {"--frequency", std::to_string(request.frequency)});
    if (request.isOffCpu)
        words.emplace_back("--off-cpu");
    if (!request.event.empty())
        words.insert(words.end(), {"--event", request.event});
    if (request.hasPageFaults)
        words.emplace_back("--page-faults");
    if (request.hasSwitches)
        words.emplace_back("--switches");
    if (!request.symbols.empty())
        words.insert(words.end(), {"--symbols", request.symbols});
    return words;
}

} // namespace hearth
