#include "agent/session/priority.h"

#include <sys/resource.h>

#include <algorithm>

namespace hearth::agent {

namespace {

constexpr int kFirst = -10; ///< nine times the share of an ordinary program

int niceBefore = 0; ///< written before there are threads

} // namespace

void goFirst()
{
    niceBefore = getpriority(PRIO_PROCESS, 0);
    setpriority(PRIO_PROCESS, 0, std::min(niceBefore, kFirst));
}

void goWithTheRest()
{
    setpriority(PRIO_PROCESS, 0, niceBefore);
}

} // namespace hearth::agent
