#pragma once

#include <QObject>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace hearth {

/// Runs the newest of the jobs it is given on a thread of its own; one that is still running is asked to
/// stop.
///
/// A job returns what is to be done with its result, which is then called on the thread of this object,
/// unless a newer job was given meanwhile.
class Worker : public QObject {
    Q_OBJECT

public:
    using Delivery = std::function<void()>;
    using Job = std::function<Delivery(const std::stop_token &)>;

    explicit Worker(QObject *parent = nullptr);
    ~Worker() override;

    void run(Job job);
    bool isBusy() const;

private:
    void work(const std::stop_token &quit);
    void deliver();

    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Job m_next;
    std::stop_source m_stop; ///< of the job that runs
    Delivery m_delivery;
    bool m_isRunning = false;
    std::jthread m_thread; ///< last: it uses the others
};

} // namespace hearth
