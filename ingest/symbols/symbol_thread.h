#pragma once

#include "ingest/symbols/symbolizer.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace hearth {

/// Looks for the names of a data set in a thread of its own, which also calls the receiver.
class SymbolThread {
public:
    /// @param rest between two searches, so that data that keeps coming is not searched all the time
    SymbolThread(SearchPlaces places, Symbolizer::Receiver receiver,
                 std::chrono::milliseconds rest = std::chrono::seconds(1));
    SymbolThread(const SymbolThread &) = delete;
    SymbolThread &operator=(const SymbolThread &) = delete;
    /// Waits for what is under way to stop.
    ~SymbolThread();

    /// Looks for what is new in a snapshot; of several that come meanwhile, in the newest. Any thread.
    void follow(std::shared_ptr<const Snapshot> snapshot);
    /// Looks there for what was not found. Any thread.
    void setPlaces(SearchPlaces places);
    /// Looks for the names of these binaries as if it never had. Any thread.
    void lookAgain(std::span<const BinaryId> binaries);

private:
    void work(const std::stop_token &stop);

    const Symbolizer::Receiver m_receiver;
    const std::chrono::milliseconds m_rest;
    Symbolizer m_symbolizer; ///< of the thread

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::shared_ptr<const Snapshot> m_next;   ///< guarded by m_mutex; null if there is nothing to do
    std::shared_ptr<const Snapshot> m_newest; ///< guarded by m_mutex
    std::optional<SearchPlaces> m_places;     ///< guarded by m_mutex; new ones
    std::vector<BinaryId> m_again;            ///< guarded by m_mutex; to be looked at again
    std::jthread m_thread;                    ///< last: it uses the others
};

} // namespace hearth
