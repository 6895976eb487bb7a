#include "agent/bpf/perf_event.h"

#include <sys/syscall.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace hearth::agent {

std::vector<int> onlineProcessors()
{
    std::ifstream file("/sys/devices/system/cpu/online");
    std::vector<int> processors;
    std::string range; // "0-3,5"
    while (std::getline(file, range, ',')) {
        int first = 0;
        char dash = 0;
        std::istringstream text(range);
        if (!(text >> first))
            continue;
        int last = first;
        if (text >> dash)
            text >> last;
        for (int processor = first; processor <= last; ++processor)
            processors.push_back(processor);
    }
    if (processors.empty())
        processors.push_back(0);
    return processors;
}

Result<FileDescriptor> openPerfEvent(const perf_event_attr &attributes, int processor)
{
    const long descriptor =
        syscall(SYS_perf_event_open, &attributes, -1, processor, -1, PERF_FLAG_FD_CLOEXEC);
    if (descriptor < 0)
        return failure("cannot open a perf event on processor " + std::to_string(processor) + ": " +
                       std::strerror(errno));
    return FileDescriptor(static_cast<int>(descriptor));
}

} // namespace hearth::agent
