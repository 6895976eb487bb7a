#include "agent/export/delivery.h"

#include <QTest>

#include <deque>
#include <mutex>

using namespace hearth;
using namespace hearth::agent;

namespace {

using Verdict = SendAnswer::Verdict;

/// A receiver that answers as it was told to, and then accepts everything.
class ScriptedClient : public Client {
public:
    struct Log {
        std::mutex mutex;
        std::vector<std::string> received;
    };

    ScriptedClient(std::shared_ptr<Log> log, std::deque<Result<SendAnswer>> script)
        : m_log(std::move(log)), m_script(std::move(script))
    {}

    Result<SendAnswer> send(Signal, Encoding, std::span<const std::uint8_t> message) override
    {
        Result<SendAnswer> answer;
        if (!m_script.empty()) {
            answer = m_script.front();
            m_script.pop_front();
        }
        const std::lock_guard lock(m_log->mutex);
        m_log->received.emplace_back(message.begin(), message.end());
        return answer;
    }

private:
    const std::shared_ptr<Log> m_log;
    std::deque<Result<SendAnswer>> m_script;
};

SendAnswer answer(Verdict verdict, const std::string &message)
{
    return {
        .verdict = verdict, .rejected = 0, .message = message, .retryAfter = std::chrono::milliseconds(0)};
}

/// What arrives of some messages, in order, and how they are counted.
struct Outcome {
    std::vector<std::string> received;
    DeliveryCounts counts;
};

Outcome deliver(const std::vector<std::string> &messages, std::deque<Result<SendAnswer>> script)
{
    const auto log = std::make_shared<ScriptedClient::Log>();
    const auto delivery = deliveryTo(std::make_unique<ScriptedClient>(log, std::move(script)));
    for (const std::string &message : messages)
        delivery->add(message);
    delivery->finish();
    return {log->received, delivery->counts()};
}

} // namespace

class TestDelivery : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void messagesArriveInOrder()
    {
        const Outcome outcome = deliver({"a", "b", "c"}, {});
        QCOMPARE(outcome.received, (std::vector<std::string>{"a", "b", "c"}));
        QCOMPARE(outcome.counts.delivered, std::uint64_t(3));
        QCOMPARE(outcome.counts.dropped, std::uint64_t(0));
    }

    void whoIsBusyIsAskedAgain()
    {
        const Outcome outcome = deliver({"a", "b"}, {answer(Verdict::ComeAgain, "busy")});
        QCOMPARE(outcome.received, (std::vector<std::string>{"a", "a", "b"}));
        QCOMPARE(outcome.counts.delivered, std::uint64_t(2));
    }

    void whoCannotBeReachedIsTriedAgain()
    {
        const Outcome outcome = deliver({"a"}, {failure("nobody is there")});
        QCOMPARE(outcome.received, (std::vector<std::string>{"a", "a"}));
        QCOMPARE(outcome.counts.delivered, std::uint64_t(1));
    }

    void whatIsRefusedIsNotSentAgain()
    {
        const Outcome outcome = deliver({"a", "b"}, {answer(Verdict::Refused, "no profiles here")});
        QCOMPARE(outcome.received, (std::vector<std::string>{"a", "b"}));
        QCOMPARE(outcome.counts.delivered, std::uint64_t(1));
        QCOMPARE(outcome.counts.dropped, std::uint64_t(1));
        QCOMPARE(outcome.counts.lastError, std::string("no profiles here"));
    }

    void theOldestGiveWayWhenThereIsTooMuch()
    {
        constexpr std::size_t kLarge = std::size_t(6) << 20;
        const Outcome outcome =
            deliver({std::string(kLarge, 'a'), std::string(kLarge, 'b'), std::string(kLarge, 'c'),
                     std::string(kLarge, 'd'), std::string(kLarge, 'e')},
                    {});
        QVERIFY(outcome.counts.delivered >= 2); // two fit, and one may be on its way
        QCOMPARE(outcome.counts.delivered + outcome.counts.dropped, std::uint64_t(5));
        QCOMPARE(outcome.received.back()[0], 'e');
    }
};

QTEST_GUILESS_MAIN(TestDelivery)
#include "tst_delivery.moc"
