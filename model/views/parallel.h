#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace hearth {

/// Splits [0, count) into one run per core, at least `grain` long, and calls `work(part, begin, end)` for
/// each, the first on the calling thread. @return how many parts there were
template <class Work>
std::size_t forEachPart(std::size_t count, std::size_t grain, Work work)
{
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t parts = std::clamp<std::size_t>(count / std::max<std::size_t>(grain, 1), 1, cores);
    std::vector<std::jthread> threads;
    for (std::size_t part = 1; part < parts; ++part)
        threads.emplace_back([=, &work] { work(part, count * part / parts, count * (part + 1) / parts); });
    work(std::size_t(0), std::size_t(0), count / parts);
    return parts;
}

} // namespace hearth
