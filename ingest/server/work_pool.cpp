#include "ingest/server/work_pool.h"

#include <utility>

namespace hearth {

WorkPool::WorkPool(unsigned threads)
{
    for (unsigned i = 0; i < threads; ++i)
        m_threads.emplace_back([this] { work(); });
}

WorkPool::~WorkPool()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_hasJobs.notify_all();
    m_threads.clear();
}

void WorkPool::post(std::function<void()> job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    m_hasJobs.notify_one();
}

void WorkPool::work()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_hasJobs.wait(lock, [this] { return !m_jobs.empty() || m_isEnding; });
        if (m_jobs.empty())
            return;
        const std::function<void()> job = std::move(m_jobs.front());
        m_jobs.pop_front();
        lock.unlock();
        job();
        lock.lock();
    }
}

} // namespace hearth
