#include "ingest/bytes/byte_sink.h"
#include "tests/ingest/server/raw_connection.h"
#include "tests/ingest/server/receiver.h"

#include <QTemporaryDir>
#include <QTest>

#include <zstd.h>

#include <string>

using namespace hearth;
using namespace hearth::test;

Q_DECLARE_METATYPE(hearth::Signal)

namespace {

std::string zstded(const std::string &text)
{
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
    return packed;
}

const std::string kJson = "application/json";

} // namespace

class TestServerHttp : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPathIsTaken_data();
    void everyPathIsTaken();
    void theMediaTypeTellsTheEncoding_data();
    void theMediaTypeTellsTheEncoding();
    void compressionIsTakenOff_data();
    void compressionIsTakenOff();
    void chunkedBodiesArriveWhole();
    void connectionsAreKeptForTheNextRequest();
    void requestsMayFollowWithoutWaiting();
    void expectedContinuationIsGiven();
    void http10IsAnsweredAndClosed();
    void partialSuccessIsToldInTheEncodingOfTheRequest();
    void aRefusalIsAStatus();
    void overBudgetSaysWhenToComeAgain();
    void whatCannotBeTakenIsRefused_data();
    void whatCannotBeTakenIsRefused();
    void theLimitCountsInflatedBytes();
    void foreignPagesAreRefused_data();
    void foreignPagesAreRefused();
    void pagesOfThisMachineMaySend();
    void ambiguousLengthsAreRefused_data();
    void ambiguousLengthsAreRefused();
    void unixSocketsSpeakHttp();
};

void TestServerHttp::everyPathIsTaken_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<Signal>("signal");
    QTest::newRow("profiles") << QByteArray("/v1development/profiles") << Signal::Profiles;
    QTest::newRow("profiles of 1.3") << QByteArray("/v1experimental/profiles") << Signal::Profiles;
    QTest::newRow("traces") << QByteArray("/v1/traces") << Signal::Traces;
    QTest::newRow("logs") << QByteArray("/v1/logs") << Signal::Logs;
    QTest::newRow("metrics") << QByteArray("/v1/metrics") << Signal::Metrics;
    QTest::newRow("with a slash and a query") << QByteArray("/v1/metrics/?a=b") << Signal::Metrics;
}

void TestServerHttp::everyPathIsTaken()
{
    QFETCH(QByteArray, path);
    QFETCH(Signal, signal);
    Receiver receiver;
    const HttpAnswer answer =
        answerTo(receiver.port(), post(path.toStdString(), "body", "User-Agent: OTel-OTLP-Exporter/1\r\n"));
    QVERIFY2(answer.status == 200, answer.body.c_str());
    QCOMPARE(answer.fields.at("content-type"), std::string("application/x-protobuf"));
    QCOMPARE(answer.body, std::string());
    const Received received = receiver.received().at(0);
    QVERIFY(received.signal == signal);
    QVERIFY(received.transport == Transport::Http);
    QCOMPARE(received.body, std::string("body"));
    QCOMPARE(received.userAgent, std::string("OTel-OTLP-Exporter/1"));
    QVERIFY2(received.peer.starts_with("127.0.0.1:"), received.peer.c_str());
}

void TestServerHttp::theMediaTypeTellsTheEncoding_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("isJson");
    QTest::newRow("protobuf") << QByteArray("application/x-protobuf") << QByteArray("{}") << false;
    QTest::newRow("JSON with a parameter")
        << QByteArray("application/json; charset=utf-8") << QByteArray("x") << true;
    QTest::newRow("in capitals") << QByteArray("Application/JSON") << QByteArray("x") << true;
    QTest::newRow("none, and it looks like JSON")
        << QByteArray() << QByteArray(" {\"resourceSpans\":[]}") << true;
    QTest::newRow("none, and it does not") << QByteArray() << QByteArray("\x0a\x01") << false;
}

void TestServerHttp::theMediaTypeTellsTheEncoding()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, body);
    QFETCH(bool, isJson);
    Receiver receiver;
    const HttpAnswer answer =
        answerTo(receiver.port(), post("/v1/traces", body.toStdString(), {}, type.toStdString()));
    QCOMPARE(answer.status, 200);
    QCOMPARE(receiver.received().at(0).encoding == Encoding::Json, isJson);
}

void TestServerHttp::compressionIsTakenOff_data()
{
    QTest::addColumn<QByteArray>("coding");
    QTest::newRow("none") << QByteArray("identity");
    QTest::newRow("gzip") << QByteArray("gzip");
    QTest::newRow("zstd") << QByteArray("zstd");
}

void TestServerHttp::compressionIsTakenOff()
{
    QFETCH(QByteArray, coding);
    Receiver receiver;
    std::string text;
    for (int i = 0; text.size() < 3'000'000; ++i)
        text += std::to_string(i);
    const std::string body = coding == "gzip" ? gzipped(text) : coding == "zstd" ? zstded(text) : text;
    const std::string field = "Content-Encoding: " + coding.toStdString() + "\r\n";
    QCOMPARE(answerTo(receiver.port(), post("/v1/logs", body, field)).status, 200);
    QVERIFY(receiver.received().at(0).body == text);
}

void TestServerHttp::chunkedBodiesArriveWhole()
{
    Receiver receiver;
    const HttpAnswer answer = answerTo(
        receiver.port(), "POST /v1/traces HTTP/1.1\r\nHost: [::1]:4318\r\nTransfer-Encoding: chunked\r\n"
                         "Content-Type: application/x-protobuf\r\n\r\n"
                         "4\r\nabcd\r\n3;name=value\r\nefg\r\n0\r\nTrailer: x\r\n\r\n");
    QCOMPARE(answer.status, 200);
    QCOMPARE(receiver.received().at(0).body, std::string("abcdefg"));
}

void TestServerHttp::connectionsAreKeptForTheNextRequest()
{
    Receiver receiver;
    RawConnection connection(receiver.port());
    for (int i = 0; i < 3; ++i) {
        connection.send(post("/v1/traces", "body " + std::to_string(i)));
        QCOMPARE(connection.answer().status, 200);
    }
    connection.send(post("/v1/traces", "last", "Connection: close\r\n"));
    QCOMPARE(connection.answer().status, 200);
    QCOMPARE(connection.untilEnd(), std::string());
    QCOMPARE(receiver.received().size(), std::size_t(4));
}

void TestServerHttp::requestsMayFollowWithoutWaiting()
{
    Receiver receiver;
    RawConnection connection(receiver.port());
    connection.send(post("/v1/traces", "one") + post("/v1/traces", "two") +
                    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + post("/v1/traces", "three"));
    QCOMPARE(connection.answer().status, 200);
    QCOMPARE(connection.answer().status, 200);
    QCOMPARE(connection.answer().status, 404);
    QCOMPARE(connection.answer().status, 200);
    QCOMPARE(receiver.received().at(2).body, std::string("three"));
}

void TestServerHttp::expectedContinuationIsGiven()
{
    Receiver receiver;
    RawConnection connection(receiver.port());
    connection.send(
        "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
    QCOMPARE(connection.answer().status, 100);
    connection.send("body");
    QCOMPARE(connection.answer().status, 200);
}

void TestServerHttp::http10IsAnsweredAndClosed()
{
    Receiver receiver;
    RawConnection connection(receiver.port());
    connection.send("POST /v1/traces HTTP/1.0\r\nContent-Length: 4\r\n\r\nbody");
    QCOMPARE(connection.answer().status, 200);
    QCOMPARE(connection.untilEnd(), std::string());
}

void TestServerHttp::partialSuccessIsToldInTheEncodingOfTheRequest()
{
    Receiver receiver;
    receiver.replyWith(Reply::accepted(3, "a \"bad\" id\n"));
    const HttpAnswer json = answerTo(receiver.port(), post("/v1/logs", "{}", {}, kJson));
    QCOMPARE(json.fields.at("content-type"), kJson);
    QCOMPARE(json.body, std::string("{\"partialSuccess\":{\"rejectedLogRecords\":\"3\","
                                    "\"errorMessage\":\"a \\\"bad\\\" id\\u000a\"}}"));
    const HttpAnswer protobuf = answerTo(receiver.port(), post("/v1/logs", ""));
    QCOMPARE(protobuf.body, std::string("\x0a\x0f\x08\x03\x12\x0b"
                                        "a \"bad\" id\n"));
}

void TestServerHttp::aRefusalIsAStatus()
{
    Receiver receiver;
    receiver.replyWith(Reply::refused("cut"));
    const HttpAnswer json = answerTo(receiver.port(), post("/v1/logs", "{}", {}, kJson));
    QCOMPARE(json.status, 400);
    QCOMPARE(json.body, std::string("{\"code\":3,\"message\":\"cut\"}"));
    QCOMPARE(answerTo(receiver.port(), post("/v1/logs", "")).body, std::string("\x08\x03\x12\x03"
                                                                               "cut"));
}

void TestServerHttp::overBudgetSaysWhenToComeAgain()
{
    Receiver receiver;
    receiver.replyWith(Reply::overBudget("full", std::chrono::milliseconds(2500)));
    const HttpAnswer answer = answerTo(receiver.port(), post("/v1/logs", "{}", {}, kJson));
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.fields.at("retry-after"), std::string("3"));
    QVERIFY2(answer.body.find("\"retryDelay\":\"2.500s\"") != std::string::npos, answer.body.c_str());
}

void TestServerHttp::whatCannotBeTakenIsRefused_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("status");
    QTest::newRow("another path") << QByteArray("POST /v2/traces HTTP/1.1\r\nHost: localhost\r\n\r\n") << 404;
    QTest::newRow("another method") << QByteArray("GET /v1/traces HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                    << 405;
    QTest::newRow("another content type")
        << QByteArray::fromStdString(post("/v1/traces", "x", {}, "text/html")) << 415;
    QTest::newRow("another compression")
        << QByteArray::fromStdString(post("/v1/traces", "x", "Content-Encoding: br\r\n")) << 415;
    QTest::newRow("damaged gzip") << QByteArray::fromStdString(
                                         post("/v1/traces", "x", "Content-Encoding: gzip\r\n"))
                                  << 400;
    QTest::newRow("an announced body over the limit")
        << QByteArray("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4294967296\r\n\r\n")
        << 413;
    QTest::newRow("another transfer encoding")
        << QByteArray("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n")
        << 501;
    QTest::newRow("no HTTP") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n\r\n") << 400;
    QTest::newRow("TLS") << QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) << 400;
    QTest::newRow("a head over the limit")
        << QByteArray("POST /v1/traces HTTP/1.1\r\nX: " + QByteArray(20'000, 'x') + "\r\n\r\n") << 431;
    QTest::newRow("a host that is not here")
        << QByteArray("POST /v1/traces HTTP/1.1\r\nHost: rebound.example\r\n\r\n") << 403;
    QTest::newRow("no host") << QByteArray("POST /v1/traces HTTP/1.1\r\n\r\n") << 403;
    QTest::newRow("two hosts")
        << QByteArray("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nHost: rebound.example\r\n\r\n") << 400;
}

void TestServerHttp::whatCannotBeTakenIsRefused()
{
    QFETCH(QByteArray, request);
    QFETCH(int, status);
    Receiver receiver;
    QCOMPARE(answerTo(receiver.port(), request.toStdString()).status, status);
    QVERIFY(receiver.received().empty());
    QCOMPARE(receiver.refusals().size(), std::size_t(1));
    QVERIFY(!receiver.refusals()[0].reason.empty());
}

void TestServerHttp::theLimitCountsInflatedBytes()
{
    Limits limits;
    limits.requestBytes = 1'000'000;
    Receiver receiver(limits);
    const auto statusOf = [&](const std::string &packed, const std::string &coding) {
        return answerTo(receiver.port(), post("/v1/traces", packed, "Content-Encoding: " + coding + "\r\n"))
            .status;
    };
    const std::string fits(1'000'000, '\0');
    const std::string bomb(100'000'000, '\0');
    QCOMPARE(statusOf(gzipped(fits), "gzip"), 200);
    QCOMPARE(statusOf(gzipped(fits + '\0'), "gzip"), 413);
    QCOMPARE(statusOf(gzipped(bomb), "gzip"), 413);
    QCOMPARE(statusOf(zstded(bomb), "zstd"), 413);
    QCOMPARE(answerTo(receiver.port(), post("/v1/traces", fits)).status, 200);
    const std::string chunked =
        "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        "f4241\r\n" +
        fits + "x\r\n0\r\n\r\n";
    QCOMPARE(answerTo(receiver.port(), chunked).status, 413);
}

void TestServerHttp::foreignPagesAreRefused_data()
{
    QTest::addColumn<QByteArray>("origin");
    for (const char *const origin : {"http://evil.example", "https://localhost.evil.example", "null",
                                     "http://evil.example:11000", "http://127.0.0.1.evil.example", "file://"})
        QTest::newRow(origin) << QByteArray(origin);
}

void TestServerHttp::foreignPagesAreRefused()
{
    QFETCH(QByteArray, origin);
    Receiver receiver;
    const std::string field = "Origin: " + origin.toStdString() + "\r\n";
    const HttpAnswer answer = answerTo(receiver.port(), post("/v1/traces", "x", field));
    QCOMPARE(answer.status, 403);
    QVERIFY(!answer.fields.contains("access-control-allow-origin"));
    const HttpAnswer preflight =
        answerTo(receiver.port(), "OPTIONS /v1/traces HTTP/1.1\r\nHost: localhost\r\n" + field +
                                      "Access-Control-Request-Method: POST\r\n\r\n");
    QCOMPARE(preflight.status, 403);
    QVERIFY(!preflight.fields.contains("access-control-allow-origin"));
    QVERIFY(receiver.received().empty());
}

void TestServerHttp::pagesOfThisMachineMaySend()
{
    Receiver receiver;
    const std::string origin = "Origin: http://localhost:3000\r\n";
    const HttpAnswer preflight =
        answerTo(receiver.port(),
                 "OPTIONS /v1/traces HTTP/1.1\r\nHost: localhost\r\n" + origin +
                     "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-key\r\n\r\n");
    QCOMPARE(preflight.status, 204);
    QCOMPARE(preflight.fields.at("access-control-allow-origin"), std::string("http://localhost:3000"));
    QCOMPARE(preflight.fields.at("access-control-allow-headers"), std::string("x-key"));
    const HttpAnswer answer = answerTo(receiver.port(), post("/v1/traces", "{}", origin, kJson));
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.fields.at("access-control-allow-origin"), std::string("http://localhost:3000"));
}

void TestServerHttp::ambiguousLengthsAreRefused_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::newRow("two lengths") << QByteArray("Content-Length: 4\r\nContent-Length: 9\r\n");
    QTest::newRow("two lengths in one") << QByteArray("Content-Length: 4, 9\r\n");
    QTest::newRow("a length and chunks") << QByteArray("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n");
    QTest::newRow("chunks and a length") << QByteArray("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n");
    QTest::newRow("a signed length") << QByteArray("Content-Length: +4\r\n");
    QTest::newRow("a negative length") << QByteArray("Content-Length: -4\r\n");
    QTest::newRow("a length of 2^64 + 4") << QByteArray("Content-Length: 18446744073709551620\r\n");
    QTest::newRow("a blank before the colon") << QByteArray("Content-Length : 4\r\n");
    QTest::newRow("chunks twice") << QByteArray(
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n");
    QTest::newRow("chunks that are not last") << QByteArray("Transfer-Encoding: chunked, gzip\r\n");
    QTest::newRow("a disguised chunked") << QByteArray("Transfer-Encoding: xchunked\r\n");
    QTest::newRow("a folded field") << QByteArray("Content-Length: 4\r\n\tTransfer-Encoding: chunked\r\n");
}

void TestServerHttp::ambiguousLengthsAreRefused()
{
    QFETCH(QByteArray, fields);
    Receiver receiver;
    RawConnection connection(receiver.port());
    const std::string smuggled = post("/v1/logs", "smuggled");
    connection.send("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\n" + fields.toStdString() +
                    "\r\n0\r\n\r\n" + smuggled);
    const HttpAnswer answer = connection.answer();
    QVERIFY2(answer.status == 400 || answer.status == 501, std::to_string(answer.status).c_str());
    QCOMPARE(connection.untilEnd(), std::string());
    QVERIFY(receiver.received().empty());
}

void TestServerHttp::unixSocketsSpeakHttp()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("hearth.sock").toStdString();
    Receiver receiver({}, {{{}, 0, path}});
    RawConnection connection(path);
    connection.send("POST /v1/traces HTTP/1.1\r\nHost: any.name\r\nContent-Length: 4\r\n\r\nbody");
    QCOMPARE(connection.answer().status, 200);
    QCOMPARE(receiver.received().at(0).peer, std::string("unix"));
}

QTEST_GUILESS_MAIN(TestServerHttp)
#include "tst_server_http.moc"
