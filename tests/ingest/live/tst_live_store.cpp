#include "ingest/bytes/byte_source.h"
#include "ingest/live/live_store.h"
#include "tests/support/profile_text.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <fstream>
#include <semaphore>
#include <thread>

using namespace hearth;
using namespace std::chrono_literals;

namespace {

std::span<const std::uint8_t> bytesOf(const std::string &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

/// Requests of these tests are folded stacks.
Result<DecodedRequest> decodeFolded(const Request &request)
{
    const std::string text(request.body.begin(), request.body.end());
    if (text == "unreadable")
        return failure("nothing of it can be read");
    DecodedRequest decoded{.batch = test::batchOf(text), .generation = "folded", .accepted = 1};
    if (text.starts_with("half"))
        decoded.rejected = 1, decoded.rejectedBecause = "the other half";
    return decoded;
}

struct Sent {
    explicit Sent(std::string text_, std::string peer = "127.0.0.1:1") : text(std::move(text_))
    {
        request.body = bytesOf(text);
        request.peer = std::move(peer);
        request.userAgent = "agent/1";
    }
    std::string text;
    Request request;
};

std::string unpackedFile(const std::string &path)
{
    auto source = unpacked(std::move(*openSource(path)));
    std::string text(1 << 20, '\0');
    text.resize(source->read({reinterpret_cast<std::uint8_t *>(text.data()), text.size()}));
    return text;
}

} // namespace

class TestLiveStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsAcceptedIsInTheNextSnapshot();
    void manySendersAtOnceLoseNothing();
    void snapshotsAreBoundedInNumber();
    void sendersAreAccountedFor();
    void thereIsAnEndToSendersAndReasons();
    void recentRequestsAreKeptAsTheyCame();
    void theDictionaryOverBudgetIsToldToSenders();
    void aFullQueueIsToldToSenders();
    void everythingIsSavedInOneFile_data();
    void everythingIsSavedInOneFile();
    void whatCannotBeSavedIsNotAccepted();
    void symbolsArriveLate();
    void afterStopSendersAreToldToComeAgain();
};

void TestLiveStore::whatIsAcceptedIsInTheNextSnapshot()
{
    LiveStore live(decodeFolded, {});
    const Reply reply = live.receive(Sent("main;run 3\n").request);
    QVERIFY(reply.verdict == Reply::Verdict::Accepted);
    live.stop();
    QCOMPARE(live.snapshot()->sampleCount(), std::uint64_t(1));
}

void TestLiveStore::manySendersAtOnceLoseNothing()
{
    constexpr int kSenders = 4;
    constexpr int kRequests = 200;
    std::atomic<int> accepted = 0;
    LiveStore live(decodeFolded, {.mostQueued = 2});
    {
        std::vector<std::jthread> senders;
        for (int sender = 0; sender < kSenders; ++sender)
            senders.emplace_back([&, sender] {
                for (int i = 0; i < kRequests; ++i) {
                    const Sent sent("main;f" + std::to_string(i) + " 1\n",
                                    "10.0.0." + std::to_string(sender) + ":1");
                    accepted += live.receive(sent.request).verdict == Reply::Verdict::Accepted;
                    if (const auto snapshot = live.snapshot())
                        (void)snapshot->sampleCount();
                }
            });
    }
    live.stop();
    QCOMPARE(accepted.load(), kSenders * kRequests);
    QCOMPARE(live.snapshot()->sampleCount(), std::uint64_t(kSenders * kRequests));
    QCOMPARE(live.senders()->senders.size(), std::size_t(kSenders));
    QCOMPARE(live.senders()->samples, std::uint64_t(kSenders * kRequests));
}

void TestLiveStore::snapshotsAreBoundedInNumber()
{
    std::atomic<int> published = 0;
    std::binary_semaphore first(0);
    LiveStore live(decodeFolded, {.publishInterval = 1h, .published = [&] {
                                      if (published++ == 0)
                                          first.release();
                                  }});
    (void)live.receive(Sent("main 1\n").request);
    first.acquire(); // at once, since nothing was published for long
    for (int i = 0; i < 100; ++i)
        (void)live.receive(Sent("main 1\n").request);
    QCOMPARE(published.load(), 1);
    live.stop();
    QCOMPARE(published.load(), 2);
    QCOMPARE(live.snapshot()->sampleCount(), std::uint64_t(101));
}

void TestLiveStore::sendersAreAccountedFor()
{
    LiveStore live(decodeFolded, {});
    (void)live.receive(Sent("main 1\n", "10.0.0.1:5").request);
    (void)live.receive(Sent("half 1\n", "10.0.0.1:6").request);
    (void)live.receive(Sent("unreadable", "10.0.0.1:7").request);
    live.refused({Transport::Http, "10.0.0.2:1", "curl/8", "pages of http://evil.example may not send here"});
    const auto senders = live.senders();
    QCOMPARE(senders->senders.size(), std::size_t(2));
    QCOMPARE(senders->senders[0].userAgent, std::string("curl/8"));
    QCOMPARE(senders->senders[0].refused, std::uint64_t(1));
    const Sender &agent = senders->senders[1];
    QCOMPARE(agent.peer, std::string("10.0.0.1:7"));
    QCOMPARE(agent.generation, std::string("folded"));
    QCOMPARE(agent.requests, std::uint64_t(2));
    QCOMPARE(agent.samples, std::uint64_t(2));
    QCOMPARE(agent.bytes, std::uint64_t(14));
    QCOMPARE(agent.rejected, std::uint64_t(1));
    QCOMPARE(agent.refused, std::uint64_t(1));
    QCOMPARE(agent.reasons.at("the other half"), std::uint64_t(1));
    QCOMPARE(agent.reasons.at("nothing of it can be read"), std::uint64_t(1));
    QCOMPARE(senders->refused, std::uint64_t(2));
    QCOMPARE(live.senders(), senders);
}

void TestLiveStore::thereIsAnEndToSendersAndReasons()
{
    SenderBook book;
    for (int i = 0; i < 3000; ++i)
        book.refused("10.0.0.1:1", "agent " + std::to_string(i), "why");
    QCOMPARE(book.snapshot()->senders.size(), std::size_t(1000));
    QCOMPARE(book.snapshot()->senders[0].userAgent, std::string("agent 2999"));
    for (int i = 0; i < 100; ++i)
        book.refused("10.0.0.1:1", "agent 2999", "reason " + std::to_string(i) + std::string(10'000, 'x'));
    const Sender &last = book.snapshot()->senders[0];
    QVERIFY(last.reasons.size() <= 33);
    QCOMPARE(last.refused, std::uint64_t(101));
    QCOMPARE(last.reasons.at("other reasons"), std::uint64_t(69));
}

void TestLiveStore::recentRequestsAreKeptAsTheyCame()
{
    RecentRequests recent(10, 3);
    for (const char *const text : {"a", "bb", "ccc", "dddd"})
        recent.add(Sent(text).request, "");
    const auto kept = recent.all();
    QCOMPARE(kept.size(), std::size_t(3));
    QCOMPARE(std::string(kept[0]->body.begin(), kept[0]->body.end()), std::string("bb"));
    recent.add(Sent("eeeeeeeeee").request, "refused");
    QCOMPARE(recent.all().size(), std::size_t(1));
    recent.add(Sent("12345678901").request, "too large to keep");
    QCOMPARE(recent.all().back()->outcome, std::string("too large to keep"));
    QVERIFY(recent.all().back()->body.empty());
}

void TestLiveStore::theDictionaryOverBudgetIsToldToSenders()
{
    LiveStore live(decodeFolded, {.memoryBudget = 100'000});
    Reply reply;
    for (int i = 0; i < 100'000 && reply.verdict == Reply::Verdict::Accepted; ++i)
        reply = live.receive(Sent("main;function_number_" + std::to_string(i) + " 1\n").request);
    QVERIFY(reply.verdict == Reply::Verdict::OverBudget);
    QVERIFY(reply.retryAfter > 0ms);
    QCOMPARE(live.senders()->refused, std::uint64_t(1));
}

void TestLiveStore::aFullQueueIsToldToSenders()
{
    std::binary_semaphore isPublishing(0);
    std::binary_semaphore goOn(0);
    std::atomic<bool> isFirst = true;
    LiveStore live(decodeFolded, {.mostQueued = 1, .patience = 1ms, .published = [&] {
                                      if (!isFirst.exchange(false))
                                          return;
                                      isPublishing.release();
                                      goOn.acquire();
                                  }});
    (void)live.receive(Sent("main 1\n").request);
    isPublishing.acquire(); // the writer is busy
    live.apply({});         // and this is in the queue
    const Reply reply = live.receive(Sent("main 1\n").request);
    QVERIFY(reply.verdict == Reply::Verdict::OverBudget);
    goOn.release();
}

void TestLiveStore::everythingIsSavedInOneFile_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("plain") << "out.otlp";
    QTest::newRow("gzip") << "out.otlp.gz";
    QTest::newRow("zstd") << "out.otlp.zst";
}

void TestLiveStore::everythingIsSavedInOneFile()
{
    QFETCH(QString, name);
    const QTemporaryDir folder;
    const std::string path = folder.filePath(name).toStdString();
    {
        LiveStore live(decodeFolded,
                       {.save = std::make_unique<MessageFile>(std::move(*MessageFile::create(path))),
                        .savePacking = packingOfName(path)});
        (void)live.receive(Sent("main 1\n").request);
        (void)live.receive(Sent("unreadable").request);
        (void)live.receive(Sent("half 22\n").request);
        live.stop();
        QCOMPARE(live.storageProblem(), std::string());
    }
    QCOMPARE(unpackedFile(path), std::string("\0\0\0\x07main 1\n\0\0\0\x08half 22\n", 23));
}

void TestLiveStore::whatCannotBeSavedIsNotAccepted()
{
    if (!std::ifstream("/dev/full").good())
        QSKIP("there is no /dev/full");
    LiveStore live(decodeFolded,
                   {.save = std::make_unique<MessageFile>(std::move(*MessageFile::create("/dev/full")))});
    const Reply reply = live.receive(Sent("main 1\n").request);
    QVERIFY(reply.verdict == Reply::Verdict::OverBudget);
    QVERIFY2(live.storageProblem().find("/dev/full") != std::string::npos, live.storageProblem().c_str());
    live.stop();
    QCOMPARE(live.snapshot()->sampleCount(), std::uint64_t(0));
}

void TestLiveStore::symbolsArriveLate()
{
    LiveStore live(decodeFolded, {});
    (void)live.receive(Sent("main 1\n").request);
    SymbolLine line;
    line.name = "renamed";
    live.apply({.frames = {{.frame = FrameId(0), .chain = {line}}}, .binaries = {}});
    live.stop();
    const auto snapshot = live.snapshot();
    const Line shown = snapshot->linesOf(FrameId(0))[0];
    QCOMPARE(std::string(snapshot->text(snapshot->functions[shown.function.value].name)),
             std::string("renamed"));
}

void TestLiveStore::afterStopSendersAreToldToComeAgain()
{
    LiveStore live(decodeFolded, {});
    live.stop();
    QVERIFY(live.receive(Sent("main 1\n").request).verdict == Reply::Verdict::OverBudget);
}

QTEST_GUILESS_MAIN(TestLiveStore)
#include "tst_live_store.moc"
