#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace hearth {

/// The latest of a sequence of immutable values, handed from the thread that makes them to those that read
/// them.
///
/// The lock lasts for the copy of a pointer; what it points to is read without any.
/// std::atomic<std::shared_ptr> would take a lock as well, and libstdc++ 12 releases it in a way that is a
/// data race.
template <class T>
class Published {
public:
    void publish(std::shared_ptr<const T> value)
    {
        const std::lock_guard lock(m_mutex);
        m_latest.swap(value); // the old value is destroyed behind the lock
    }
    std::shared_ptr<const T> latest() const
    {
        const std::lock_guard lock(m_mutex);
        return m_latest;
    }

private:
    mutable std::mutex m_mutex;
    std::shared_ptr<const T> m_latest; ///< guarded by m_mutex
};

} // namespace hearth
