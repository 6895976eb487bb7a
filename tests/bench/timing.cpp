#include "tests/bench/timing.h"

#include <algorithm>
#include <chrono>

namespace hearth::bench {

double median(std::vector<double> times)
{
    std::ranges::sort(times);
    return times[times.size() / 2];
}

double timed(const std::function<void()> &work)
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double medianOf(int runs, const std::function<void()> &work)
{
    std::vector<double> times;
    for (int i = 0; i < runs; ++i)
        times.push_back(timed(work));
    return median(times);
}

} // namespace hearth::bench
