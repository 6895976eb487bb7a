#include "agent/session/clock.h"

#include <ctime>
#include <limits>

namespace hearth::agent {

namespace {

std::int64_t now(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

} // namespace

std::uint64_t monotonicNow()
{
    return static_cast<std::uint64_t>(now(CLOCK_MONOTONIC));
}

std::int64_t sinceEpoch()
{
    constexpr int kReadings = 5;
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    std::int64_t best = 0;
    for (int i = 0; i < kReadings; ++i) {
        const std::int64_t before = now(CLOCK_MONOTONIC);
        const std::int64_t time = now(CLOCK_REALTIME);
        const std::int64_t after = now(CLOCK_MONOTONIC);
        if (after - before < shortest) {
            shortest = after - before;
            best = time - before - shortest / 2;
        }
    }
    return best;
}

} // namespace hearth::agent
