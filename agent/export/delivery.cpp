#include "agent/export/delivery.h"

#include "agent/session/priority.h"
#include "agent/session/privileges.h"

#include <algorithm>
#include <optional>
#include <span>

namespace hearth::agent {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostQueuedBytes = std::size_t(16) << 20;
constexpr auto kShortestPause = 100ms, kLongestPause = std::chrono::milliseconds(5s);
constexpr auto kLastTries = 5s; ///< after finish()

std::span<const std::uint8_t> bytesOf(const std::string &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

class FileDelivery : public Delivery {
public:
    FileDelivery(MessageFile file, Packing packing) : m_file(std::move(file)), m_packing(packing) {}

    void add(std::string message) override
    {
        const auto written = m_file.append(messageRecord(bytesOf(message), m_packing));
        const std::lock_guard lock(m_mutex);
        if (written) {
            ++m_counts.delivered;
        } else {
            ++m_counts.dropped;
            m_counts.lastError = written.error().message;
        }
    }

    void finish() override
    {
        const auto synced = m_file.sync();
        const std::lock_guard lock(m_mutex);
        if (!synced)
            m_counts.lastError = synced.error().message;
    }

    DeliveryCounts counts() const override
    {
        const std::lock_guard lock(m_mutex);
        return m_counts;
    }

private:
    MessageFile m_file;
    const Packing m_packing;
    mutable std::mutex m_mutex;
    DeliveryCounts m_counts; ///< guarded by m_mutex
};

class ReceiverDelivery : public Delivery {
public:
    explicit ReceiverDelivery(std::unique_ptr<Client> client)
        : m_client(std::move(client)), m_thread([this] { run(); })
    {}

    ~ReceiverDelivery() override { finish(); }

    void add(std::string message) override
    {
        const std::lock_guard lock(m_mutex);
        m_queuedBytes += message.size();
        m_queue.push_back(std::move(message));
        while (m_queuedBytes > kMostQueuedBytes && m_queue.size() > 1)
            dropOldest();
        m_hasChanged.notify_one();
    }

    void finish() override
    {
        {
            const std::lock_guard lock(m_mutex);
            if (!m_deadline)
                m_deadline = std::chrono::steady_clock::now() + kLastTries;
            m_hasChanged.notify_one();
        }
        if (m_thread.joinable())
            m_thread.join();
    }

    DeliveryCounts counts() const override
    {
        const std::lock_guard lock(m_mutex);
        return m_counts;
    }

private:
    /// The receiver may be away for longer than there is room.
    void dropOldest()
    {
        m_queuedBytes -= m_queue.front().size();
        m_queue.pop_front();
        ++m_counts.dropped;
    }

    bool isHopeless() const { return m_deadline && std::chrono::steady_clock::now() > *m_deadline; }

    std::optional<std::string> next()
    {
        std::unique_lock lock(m_mutex);
        m_hasChanged.wait(lock, [this] { return !m_queue.empty() || m_deadline; });
        if (m_queue.empty())
            return std::nullopt;
        std::string message = std::move(m_queue.front());
        m_queue.pop_front();
        m_queuedBytes -= message.size();
        return message;
    }

    void run()
    {
        giveUpCapabilities();
        goWithTheRest();
        while (const auto message = next())
            deliver(*message);
    }

    void deliver(const std::string &message)
    {
        auto pause = std::chrono::milliseconds(kShortestPause);
        for (;;) {
            const auto answer = m_client->send(Signal::Profiles, Encoding::Protobuf, bytesOf(message));
            std::unique_lock lock(m_mutex);
            if (answer && answer->verdict == SendAnswer::Verdict::Accepted) {
                ++m_counts.delivered;
                return;
            }
            m_counts.lastError = answer ? answer->message : answer.error().message;
            const bool isRefused = answer && answer->verdict == SendAnswer::Verdict::Refused;
            if (isRefused || isHopeless()) {
                ++m_counts.dropped;
                return;
            }
            pause = std::clamp(answer ? std::max(answer->retryAfter, pause) : pause, kShortestPause,
                               kLongestPause);
            // Once finish() was called, time is short.
            m_hasChanged.wait_for(lock, m_deadline ? kShortestPause : pause);
            pause = std::min(2 * pause, kLongestPause);
        }
    }

    mutable std::mutex m_mutex;
    std::condition_variable m_hasChanged;
    // guarded by m_mutex
    std::deque<std::string> m_queue;
    std::size_t m_queuedBytes = 0;
    DeliveryCounts m_counts;
    std::optional<std::chrono::steady_clock::time_point> m_deadline;

    // the thread's
    std::unique_ptr<Client> m_client;
    std::thread m_thread;
};

} // namespace

std::unique_ptr<Delivery> deliveryTo(std::unique_ptr<Client> client)
{
    return std::make_unique<ReceiverDelivery>(std::move(client));
}

std::unique_ptr<Delivery> deliveryInto(MessageFile file, Packing packing)
{
    return std::make_unique<FileDelivery>(std::move(file), packing);
}

} // namespace hearth::agent
