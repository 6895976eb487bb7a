#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hearth {

/// Threads that unpack and decode requests, so that those which read and write sockets never wait.
/// What waits here is bounded by the budget of bytes being received.
class WorkPool {
public:
    explicit WorkPool(unsigned threads);
    WorkPool(const WorkPool &) = delete;
    WorkPool &operator=(const WorkPool &) = delete;
    /// Does what was posted before it returns.
    ~WorkPool();

    void post(std::function<void()> job);

private:
    void work();

    std::mutex m_mutex;
    std::condition_variable m_hasJobs;
    std::deque<std::function<void()>> m_jobs; ///< guarded by m_mutex
    bool m_isEnding = false;                  ///< guarded by m_mutex
    std::vector<std::jthread> m_threads;
};

} // namespace hearth
