#include "ui/session/worker.h"

#include <QMetaObject>

#include <utility>

namespace hearth {

Worker::Worker(QObject *parent)
    : QObject(parent), m_thread([this](const std::stop_token &quit) { work(quit); })
{}

Worker::~Worker()
{
    m_thread.request_stop();
    const std::lock_guard lock(m_mutex);
    m_stop.request_stop();
}

void Worker::run(Job job)
{
    const std::lock_guard lock(m_mutex);
    m_next = std::move(job);
    m_stop.request_stop();
    m_delivery = nullptr;
    m_wake.notify_one();
}

bool Worker::isBusy() const
{
    const std::lock_guard lock(m_mutex);
    return m_isRunning || m_next || m_delivery;
}

void Worker::work(const std::stop_token &quit)
{
    std::unique_lock lock(m_mutex);
    while (m_wake.wait(lock, quit, [this] { return static_cast<bool>(m_next); })) {
        const Job job = std::exchange(m_next, nullptr);
        m_stop = std::stop_source();
        const std::stop_token stop = m_stop.get_token();
        m_isRunning = true;
        lock.unlock();
        Delivery delivery = job(stop);
        lock.lock();
        m_isRunning = false;
        if (m_next || stop.stop_requested() || !delivery)
            continue;
        m_delivery = std::move(delivery);
        QMetaObject::invokeMethod(this, &Worker::deliver, Qt::QueuedConnection);
    }
}

void Worker::deliver()
{
    Delivery delivery;
    {
        const std::lock_guard lock(m_mutex);
        delivery = std::exchange(m_delivery, nullptr);
    }
    if (delivery)
        delivery();
}

} // namespace hearth
