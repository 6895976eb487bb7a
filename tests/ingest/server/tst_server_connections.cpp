#include "ingest/bytes/byte_sink.h"
#include "tests/ingest/server/grpc_client.h"
#include "tests/ingest/server/raw_connection.h"
#include "tests/ingest/server/receiver.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <atomic>
#include <fstream>
#include <random>
#include <thread>

using namespace hearth;
using namespace hearth::test;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

Limits impatient()
{
    Limits limits;
    limits.firstBytes = 500ms; // a busy machine may take some time between connecting and sending
    limits.stall = 500ms;
    limits.request = 1000ms;
    limits.idle = 750ms;
    return limits;
}

const std::string kHead = "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n";

} // namespace

class TestServerConnections : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void silentConnectionsAreClosed_data();
    void silentConnectionsAreClosed();
    void aTrickleEndsWithTheRequestsTime();
    void halfClosedConnectionsGetTheirAnswer();
    void aCutRequestIsAnsweredAndNotHandled();
    void announcedBytesTakeNoMemory();
    void bytesBeingReceivedAreBounded();
    void aThousandConnectionsAreServed();
    void moreConnectionsThanTheLimitAreClosed();
    void connectionsOfGrpcCountUntilTheyClose();
    void stoppingAnswersWhatIsUnderWay();
    void aBusyPortSaysWhoHoldsIt();
    void aDeadSocketFileIsReplaced();
    void aSocketFileInUseIsLeftAlone();
    void localhostIsBothLoopbackAddresses();
    void aHandlerThatThrowsIsToldAsAFailure();
    void garbageHarmsNobody();
};

void TestServerConnections::silentConnectionsAreClosed_data()
{
    QTest::addColumn<QByteArray>("sent");
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("nothing at all") << QByteArray() << QByteArray();
    QTest::newRow("the beginning of either protocol") << QByteArray("P") << QByteArray();
    QTest::newRow("half a preface") << QByteArray("PRI * HTTP/2.0\r\n") << QByteArray();
    QTest::newRow("half a head") << QByteArray("POST /v1/traces HT") << QByteArray("HTTP/1.1 408");
    QTest::newRow("half a body") << QByteArray::fromStdString(kHead + "abc") << QByteArray("HTTP/1.1 408");
    QTest::newRow("half a chunk")
        << QByteArray(
               "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab")
        << QByteArray("HTTP/1.1 408");
}

void TestServerConnections::silentConnectionsAreClosed()
{
    QFETCH(QByteArray, sent);
    QFETCH(QByteArray, answer);
    Receiver receiver(impatient());
    RawConnection connection(receiver.port());
    connection.send(sent.toStdString());
    const std::string received = connection.untilEnd();
    if (!sent.startsWith("PRI")) // gRPC says farewell in HTTP/2
        QCOMPARE(QByteArray::fromStdString(received.substr(0, 12)), answer);
    QVERIFY(receiver.received().empty());
}

void TestServerConnections::aTrickleEndsWithTheRequestsTime()
{
    Receiver receiver(impatient());
    RawConnection connection(receiver.port());
    connection.send(kHead);
    std::jthread trickle([&](const std::stop_token &stop) {
        while (!stop.stop_requested() && connection.send("x"))
            std::this_thread::sleep_for(10ms);
    });
    QCOMPARE(connection.answer().status, 408);
}

void TestServerConnections::halfClosedConnectionsGetTheirAnswer()
{
    Receiver receiver;
    RawConnection connection(receiver.port());
    connection.send(post("/v1/traces", "body"));
    connection.endSending();
    QCOMPARE(connection.answer().status, 200);
    QCOMPARE(connection.untilEnd(), std::string());
}

void TestServerConnections::aCutRequestIsAnsweredAndNotHandled()
{
    Receiver receiver;
    RawConnection connection(receiver.port());
    connection.send(kHead + "abc");
    connection.endSending();
    QCOMPARE(connection.answer().status, 400);
    QVERIFY(receiver.received().empty());
    QCOMPARE(receiver.refusals().size(), std::size_t(1));
}

void TestServerConnections::announcedBytesTakeNoMemory()
{
    Limits limits;
    limits.receivingBytes = std::size_t(64) << 20;
    Receiver receiver(limits);
    std::vector<std::unique_ptr<RawConnection>> waiting;
    for (int i = 0; i < 50; ++i) {
        waiting.push_back(std::make_unique<RawConnection>(receiver.port()));
        waiting.back()->send(
            "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\nx");
    }
    QCOMPARE(answerTo(receiver.port(), post("/v1/traces", std::string(20'000'000, 'x'))).status, 200);
}

void TestServerConnections::bytesBeingReceivedAreBounded()
{
    Limits limits;
    limits.receivingBytes = 4'000'000;
    Receiver receiver(limits);
    const HttpAnswer answer = answerTo(receiver.port(), post("/v1/traces", std::string(10'000'000, 'x')));
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.fields.at("retry-after"), std::string("1"));
    const HttpAnswer bomb =
        answerTo(receiver.port(),
                 post("/v1/traces", gzipped(std::string(10'000'000, 'x')), "Content-Encoding: gzip\r\n"));
    QCOMPARE(bomb.status, 503);
    QCOMPARE(answerTo(receiver.port(), post("/v1/traces", std::string(1'000'000, 'x'))).status, 200);
}

void TestServerConnections::aThousandConnectionsAreServed()
{
    constexpr std::size_t kConnections = 1000;
    rlimit files{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &files), 0);
    Receiver receiver;
    if (files.rlim_max < 2 * kConnections + 100)
        QSKIP("this process may not open that many files");
    std::vector<std::unique_ptr<RawConnection>> connections;
    for (std::size_t i = 0; i < kConnections; ++i)
        connections.push_back(std::make_unique<RawConnection>(receiver.port()));
    for (int round = 0; round < 2; ++round) {
        for (const auto &connection : connections)
            QVERIFY(connection->send(post("/v1/traces", "body")));
        for (const auto &connection : connections)
            QCOMPARE(connection->answer().status, 200);
    }
    QCOMPARE(GrpcClient(receiver.target()).call(kProfilesExport, "x").code, 0);
    QCOMPARE(receiver.received().size(), 2 * kConnections + 1);
}

void TestServerConnections::moreConnectionsThanTheLimitAreClosed()
{
    Limits limits;
    limits.connections = 3;
    Receiver receiver(limits);
    std::vector<std::unique_ptr<RawConnection>> connections;
    for (int i = 0; i < 3; ++i) {
        connections.push_back(std::make_unique<RawConnection>(receiver.port()));
        connections.back()->send(post("/v1/traces", "body"));
        QCOMPARE(connections.back()->answer().status, 200);
    }
    QCOMPARE(answerTo(receiver.port(), post("/v1/traces", "body")).status, 0);
    connections[0]->send(post("/v1/traces", "body"));
    QCOMPARE(connections[0]->answer().status, 200);
}

void TestServerConnections::connectionsOfGrpcCountUntilTheyClose()
{
    const std::string http2 =
        std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + std::string("\0\0\0\4\0\0\0\0\0", 9);
    Limits limits;
    limits.connections = 3;
    Receiver receiver(limits);
    std::vector<std::unique_ptr<RawConnection>> connections;
    for (int i = 0; i < 3; ++i) {
        connections.push_back(std::make_unique<RawConnection>(receiver.port()));
        connections.back()->send(http2);
        connections.back()->awaitBytes();
    }
    const std::string request = post("/v1/traces", "body");
    QCOMPARE(answerTo(receiver.port(), request).status, 0);
    connections.clear(); // which the server notices in its own time
    while (answerTo(receiver.port(), request).status != 200)
        std::this_thread::yield();
}

void TestServerConnections::stoppingAnswersWhatIsUnderWay()
{
    Limits limits;
    limits.threads = 3;
    Receiver receiver(limits);
    receiver.hold();
    RawConnection http(receiver.port());
    RawConnection idle(receiver.port());
    idle.send(post("/v1/traces", "")); // of which the second never comes
    http.send(post("/v1/traces", "http"));
    GrpcAnswer answer;
    std::jthread grpc([&] { answer = GrpcClient(receiver.target()).call(kProfilesExport, "grpc"); });
    receiver.awaitHeld(3);
    std::jthread stopping([&] { receiver.server->stop(); });
    receiver.release();
    QCOMPARE(http.answer().status, 200);
    grpc.join();
    QCOMPARE(answer.code, 0);
    stopping.join();
    QCOMPARE(idle.answer().status, 200);
    QCOMPARE(idle.untilEnd(), std::string());
    QCOMPARE(receiver.received().size(), std::size_t(3));
}

void TestServerConnections::aBusyPortSaysWhoHoldsIt()
{
    const Receiver receiver;
    const std::vector<Address> again{{"127.0.0.1", receiver.port(), {}}};
    const auto second = Server::start(again, [](const Request &) { return Reply(); });
    QVERIFY(!second);
    const std::string &message = second.error().message;
    const std::string process = "(process " + std::to_string(::getpid()) + ')';
    QVERIFY2(message.find(process) != std::string::npos, message.c_str());
    QVERIFY2(message.find("is free") != std::string::npos, message.c_str());
}

void TestServerConnections::aDeadSocketFileIsReplaced()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("hearth.sock").toStdString();
    {
        const Receiver first({}, {{{}, 0, path}});
        QVERIFY(::link(path.c_str(), (path + ".kept").c_str()) == 0);
    }
    QVERIFY(::rename((path + ".kept").c_str(), path.c_str()) == 0); // as a crash leaves it
    const Receiver second({}, {{{}, 0, path}});
    RawConnection connection(path);
    connection.send(post("/v1/traces", "body"));
    QCOMPARE(connection.answer().status, 200);
}

void TestServerConnections::aSocketFileInUseIsLeftAlone()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("hearth.sock").toStdString();
    const Receiver first({}, {{{}, 0, path}});
    const std::vector<Address> again{{{}, 0, path}};
    QVERIFY(!Server::start(again, [](const Request &) { return Reply(); }));
    RawConnection connection(path);
    connection.send(post("/v1/traces", "body"));
    QCOMPARE(connection.answer().status, 200);
}

void TestServerConnections::localhostIsBothLoopbackAddresses()
{
    Receiver receiver({}, {{"localhost", 0, {}}});
    const auto &addresses = receiver.server->addresses();
    QCOMPARE(addresses[0].host, std::string("127.0.0.1"));
    if (!std::ifstream("/proc/net/if_inet6").good())
        QSKIP("this machine has no IPv6");
    QCOMPARE(addresses.size(), std::size_t(2));
    QVERIFY((addresses[1] == Address{"::1", addresses[0].port, {}}));
    QCOMPARE(GrpcClient(toString(addresses[1])).call(kProfilesExport, "x").code, 0);
    QVERIFY2(receiver.received().at(0).peer.starts_with("[::1]:"), receiver.received()[0].peer.c_str());
}

void TestServerConnections::aHandlerThatThrowsIsToldAsAFailure()
{
    const std::vector<Address> addresses{{"127.0.0.1", 0, {}}};
    const auto server = Server::start(addresses, [](const Request &) -> Reply { throw std::bad_alloc(); });
    QVERIFY(server.has_value());
    const std::uint16_t port = (*server)->addresses()[0].port;
    QCOMPARE(answerTo(port, post("/v1/traces", "body")).status, 500);
    constexpr int kInternal = 13;
    QCOMPARE(GrpcClient("127.0.0.1:" + std::to_string(port)).call(kProfilesExport, "x").code, kInternal);
}

void TestServerConnections::garbageHarmsNobody()
{
    Receiver receiver;
    std::mt19937 random(11000);
    const std::string seeds[] = {
        post("/v1/traces", "body", "Content-Encoding: gzip\r\n"),
        "POST /v1/logs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
        "chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\0\0\x05\x01\x04\0\0\0\x01\x82\x86\x84\x41\x8a"s,
    };
    for (int i = 0; i < 300; ++i) {
        std::string bytes = seeds[random() % std::size(seeds)];
        for (unsigned flips = random() % 8; flips > 0; --flips)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        if (random() % 4 == 0)
            bytes.resize(random() % bytes.size());
        if (random() % 16 == 0)
            for (int j = 0; j < 2000; ++j)
                bytes += static_cast<char>(random());
        RawConnection connection(receiver.port());
        connection.send(bytes);
        if (random() % 2 == 0)
            connection.endSending();
    }
    QCOMPARE(answerTo(receiver.port(), post("/v1/traces", "still here")).status, 200);
    QCOMPARE(GrpcClient(receiver.target()).call(kProfilesExport, "still here").code, 0);
}

QTEST_GUILESS_MAIN(TestServerConnections)
#include "tst_server_connections.moc"
