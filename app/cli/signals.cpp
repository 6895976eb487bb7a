#include "app/cli/signals.h"

#include <csignal>
#include <ctime>

namespace hearth::cli {

namespace {

sigset_t endSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    return signals;
}

} // namespace

EndSignals::EndSignals()
{
    const sigset_t signals = endSignals();
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr); // threads made later inherit it
    std::signal(SIGPIPE, SIG_IGN);                   // whoever sends may go at any moment
}

bool EndSignals::arriveWithin(std::chrono::nanoseconds time)
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count()};
    const sigset_t signals = endSignals();
    return ::sigtimedwait(&signals, nullptr, &timeout) > 0;
}

} // namespace hearth::cli
