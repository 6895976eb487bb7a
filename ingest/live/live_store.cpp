#include "ingest/live/live_store.h"

#include <future>
#include <utility>

namespace hearth {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kComeAgain = std::chrono::seconds(2);

Reply stopping()
{
    return Reply::overBudget("Hearth is about to end", kComeAgain);
}

} // namespace

/// Something for the writer to do.
struct LiveStore::Entry {
    Batch batch;
    SymbolUpdate symbols;
    std::string journalRecord;
    std::string saveRecord;
    std::promise<Reply> reply;
};

LiveStore::LiveStore(RequestDecoder decoder, LiveOptions options)
    : m_decoder(std::move(decoder)), m_options(std::move(options)), m_store(m_options.memoryBudget),
      m_writer([this] { write(); })
{}

LiveStore::~LiveStore()
{
    stop();
}

void LiveStore::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    m_hasEntries.notify_all();
    m_hasRoom.notify_all();
    if (m_writer.joinable())
        m_writer.join();
}

std::string LiveStore::storageProblem() const
{
    const std::lock_guard lock(m_mutex);
    return m_storageProblem;
}

// ---- any thread

Reply LiveStore::receive(const Request &request)
{
    Result<DecodedRequest> decoded = m_decoder(request);
    if (!decoded) {
        m_book.refused(request.peer, request.userAgent, decoded.error().message);
        m_recent.add(request, decoded.error().message);
        return Reply::refused(decoded.error().message);
    }
    const Reply reply = taken(request, *decoded);
    if (reply.verdict == Reply::Verdict::Accepted)
        m_book.accepted(request, decoded->generation, decoded->accepted, decoded->rejected, reply.message);
    else
        m_book.refused(request.peer, request.userAgent, reply.message);
    m_recent.add(request, reply.message);
    return reply;
}

Reply LiveStore::taken(const Request &request, DecodedRequest &decoded)
{
    if (m_dictionaryBytes.load(std::memory_order_relaxed) >= m_options.memoryBudget)
        return Reply::overBudget("the memory budget is full of names and stacks, which cannot be dropped",
                                 std::chrono::seconds(30));
    Entry entry;
    entry.batch = std::move(decoded.batch);
    if (m_options.journal)
        entry.journalRecord = Journal::record(request.body);
    if (m_options.save)
        entry.saveRecord = messageRecord(request.body, m_options.savePacking);
    Reply reply = enqueued(entry);
    if (reply.verdict != Reply::Verdict::Accepted)
        return reply;
    return Reply::accepted(static_cast<std::int64_t>(decoded.rejected), decoded.rejectedBecause);
}

Result<void> LiveStore::restore(const Request &request)
{
    Result<DecodedRequest> decoded = m_decoder(request);
    if (!decoded)
        return tl::unexpected(decoded.error());
    Entry entry;
    entry.batch = std::move(decoded->batch);
    const Reply reply = enqueued(entry);
    if (reply.verdict != Reply::Verdict::Accepted)
        return failure(reply.message);
    return {};
}

void LiveStore::apply(SymbolUpdate update)
{
    auto entry = std::make_unique<Entry>();
    entry->symbols = std::move(update);
    {
        const std::lock_guard lock(m_mutex); // symbols have no limit: who finds them waits for none
        if (m_isStopping)
            return;
        m_queue.push_back(std::move(entry));
    }
    m_hasEntries.notify_one();
}

/// Waits for the writer to be done with it.
Reply LiveStore::enqueued(Entry &entry)
{
    std::future<Reply> reply = entry.reply.get_future();
    {
        std::unique_lock lock(m_mutex);
        const bool hasRoom = m_hasRoom.wait_for(lock, m_options.patience, [this] {
            return m_isStopping || m_queue.size() < m_options.mostQueued;
        });
        if (m_isStopping)
            return stopping();
        if (!hasRoom)
            return Reply::overBudget("more is sent than can be stored", kComeAgain);
        m_queue.push_back(std::make_unique<Entry>(std::move(entry)));
    }
    m_hasEntries.notify_one();
    return reply.get();
}

// ---- the writer

void LiveStore::write()
{
    Clock::time_point publishAt = Clock::now();
    bool isDirty = false;
    for (bool isEnd = false; !isEnd;) {
        if (const std::unique_ptr<Entry> entry = nextEntry(publishAt, isDirty, isEnd)) {
            entry->reply.set_value(written(*entry));
            isDirty = true;
        }
        const Clock::time_point now = Clock::now();
        if (!isDirty || (now < publishAt && !isEnd))
            continue;
        publish();
        isDirty = false;
        publishAt = now + m_options.publishInterval;
    }
    m_options.journal.reset();
    if (m_options.save)
        if (const auto synced = m_options.save->sync(); !synced) {
            const std::lock_guard lock(m_mutex);
            m_storageProblem = synced.error().message;
        }
}

/// Waits for something to do, but no longer than until a snapshot is due. @param isEnd that was all
std::unique_ptr<LiveStore::Entry> LiveStore::nextEntry(Clock::time_point publishAt, bool isDirty, bool &isEnd)
{
    std::unique_lock lock(m_mutex);
    const auto isAwake = [this] { return !m_queue.empty() || m_isStopping; };
    if (isDirty)
        m_hasEntries.wait_until(lock, publishAt, isAwake);
    else
        m_hasEntries.wait(lock, isAwake);
    isEnd = m_queue.empty() && m_isStopping;
    if (m_queue.empty())
        return nullptr;
    std::unique_ptr<Entry> entry = std::move(m_queue.front());
    m_queue.pop_front();
    lock.unlock();
    m_hasRoom.notify_one();
    return entry;
}

Reply LiveStore::written(Entry &entry)
{
    try {
        if (!entry.symbols.isEmpty()) {
            m_store.apply(entry.symbols);
            return {};
        }
        if (const auto keeping = kept(entry); !keeping)
            return Reply::overBudget(keeping.error().message, kComeAgain);
        m_store.append(std::move(entry.batch));
        m_dictionaryBytes.store(m_store.memoryUse().dictionary, std::memory_order_relaxed);
        return {};
    } catch (const std::bad_alloc &) {
        return Reply::overBudget("memory has run out", kComeAgain);
    }
}

/// A file that was asked for must have it; the journal is there in case, so its failure is only told.
Result<void> LiveStore::kept(const Entry &entry)
{
    std::string problem;
    Result<void> saved;
    if (!entry.saveRecord.empty())
        saved = m_options.save->append(entry.saveRecord);
    if (!saved)
        problem = saved.error().message;
    else if (!entry.journalRecord.empty())
        if (const auto journalled = m_options.journal->append(entry.journalRecord); !journalled)
            problem = journalled.error().message;
    const std::lock_guard lock(m_mutex);
    m_storageProblem = std::move(problem);
    return saved;
}

void LiveStore::publish()
{
    m_store.publish();
    if (m_options.published)
        m_options.published();
}

} // namespace hearth
