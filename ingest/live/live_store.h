#pragma once

#include "ingest/journal/journal.h"
#include "ingest/live/recent_requests.h"
#include "ingest/live/sender_book.h"
#include "ingest/server/reception.h"
#include "model/store/store.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace hearth {

/// What a decoder made of one request.
struct DecodedRequest {
    Batch batch;
    std::string generation = {};
    std::uint64_t accepted = 0;
    std::uint64_t rejected = 0;
    std::string rejectedBecause = {};
};

/// Called by several threads at once. @return an error if nothing of the request can be read
using RequestDecoder = std::function<Result<DecodedRequest>(const Request &)>;

struct LiveOptions {
    std::size_t memoryBudget = Store::kUnlimited;
    std::chrono::milliseconds publishInterval{
        50};                                  ///< at most one snapshot in this time; the first comes at once
    std::size_t mostQueued = 16;              ///< requests that are decoded and wait for the writer
    std::chrono::milliseconds patience{3000}; ///< so long a request waits for room in the queue
    std::function<void()> published = {};     ///< called by the writer after each snapshot
    std::unique_ptr<Journal> journal = nullptr; ///< may be null
    std::unique_ptr<MessageFile> save =
        nullptr; ///< may be null: where everything is kept, in a file of its own
    Packing savePacking = Packing::None;
};

/// The data set that the port fills.
///
///     decoding threads ── receive() ── bounded queue ──▶ writer: save, journal, Store ──▶ Snapshot
///                            ▲                             │
///                            └──────────── reply ──────────┘
class LiveStore {
public:
    LiveStore(RequestDecoder decoder, LiveOptions options);
    LiveStore(const LiveStore &) = delete;
    LiveStore &operator=(const LiveStore &) = delete;
    ~LiveStore();

    /// The port's handler: returns when the request is in the store (and in journal and file), or will not
    /// be.
    Reply receive(const Request &request);

    /// The port's observer of what never gets that far.
    void refused(const Refusal &refusal) { m_book.refused(refusal.peer, refusal.userAgent, refusal.reason); }

    /// Adds what was received by an earlier run: it is neither journalled nor counted as sent.
    Result<void> restore(const Request &request);

    /// Names frames; they show in the next snapshot. Any thread.
    void apply(SymbolUpdate update);

    std::shared_ptr<const Snapshot> snapshot() const { return m_store.snapshot(); }
    std::shared_ptr<const Senders> senders() const { return m_book.snapshot(); }
    const RecentRequests &recentRequests() const { return m_recent; }

    /// Why what is received is not kept on the disk; empty if it is, or need not be.
    std::string storageProblem() const;

    /// Takes nothing more, publishes what it has, and leaves journal and file complete. receive() may still
    /// be called and tells senders to come again.
    void stop();

private:
    struct Entry;

    Reply taken(const Request &request, DecodedRequest &decoded);
    Reply enqueued(Entry &entry);
    void write();
    std::unique_ptr<Entry> nextEntry(std::chrono::steady_clock::time_point publishAt, bool isDirty,
                                     bool &isEnd);
    Reply written(Entry &entry);
    Result<void> kept(const Entry &entry);
    void publish();

    const RequestDecoder m_decoder;
    LiveOptions m_options;
    SenderBook m_book;
    RecentRequests m_recent;
    Store m_store;                                 ///< written by the writer only
    std::atomic<std::size_t> m_dictionaryBytes{0}; ///< of the store, which cannot be evicted

    mutable std::mutex m_mutex;
    std::condition_variable m_hasEntries;
    std::condition_variable m_hasRoom;
    std::deque<std::unique_ptr<Entry>> m_queue; ///< guarded by m_mutex
    bool m_isStopping = false;                  ///< guarded by m_mutex
    std::string m_storageProblem;               ///< guarded by m_mutex
    std::jthread m_writer;
};

} // namespace hearth
