#include "ingest/symbols/symbol_thread.h"

#include <utility>

namespace hearth {

SymbolThread::SymbolThread(SearchPlaces places, Symbolizer::Receiver receiver, std::chrono::milliseconds rest)
    : m_receiver(std::move(receiver)), m_rest(rest), m_symbolizer(std::move(places)),
      m_thread([this](const std::stop_token &stop) { work(stop); })
{}

SymbolThread::~SymbolThread() = default;

void SymbolThread::follow(std::shared_ptr<const Snapshot> snapshot)
{
    {
        const std::lock_guard lock(m_mutex);
        m_newest = m_next = std::move(snapshot);
    }
    m_wake.notify_one();
}

void SymbolThread::setPlaces(SearchPlaces places)
{
    {
        const std::lock_guard lock(m_mutex);
        m_places = std::move(places);
        m_next = m_newest;
    }
    m_wake.notify_one();
}

void SymbolThread::lookAgain(std::span<const BinaryId> binaries)
{
    {
        const std::lock_guard lock(m_mutex);
        m_again.insert(m_again.end(), binaries.begin(), binaries.end());
        m_next = m_newest;
    }
    m_wake.notify_one();
}

void SymbolThread::work(const std::stop_token &stop)
{
    std::unique_lock lock(m_mutex);
    while (m_wake.wait(lock, stop, [this] { return m_next != nullptr; })) {
        const auto snapshot = std::exchange(m_next, nullptr);
        auto places = std::exchange(m_places, std::nullopt);
        const std::vector<BinaryId> again = std::exchange(m_again, {});
        lock.unlock();
        if (places)
            m_symbolizer.setPlaces(std::move(*places));
        if (!again.empty())
            m_symbolizer.lookAgain(again);
        m_symbolizer.resolve(*snapshot, m_receiver, stop);
        lock.lock();
        m_wake.wait_for(lock, stop, m_rest, [this] { return m_places.has_value() || !m_again.empty(); });
    }
}

} // namespace hearth
