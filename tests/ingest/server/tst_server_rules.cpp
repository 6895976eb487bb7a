#include "ingest/server/address.h"
#include "ingest/server/http_rules.h"
#include "ingest/server/port_holder.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

using namespace hearth;

namespace {

std::string shown(const Result<Address> &address)
{
    return address ? toString(*address) : address.error().message;
}

} // namespace

class TestServerRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void addressesAreReadAndWritten_data();
    void addressesAreReadAndWritten();
    void whatIsNoAddressIsAnError_data();
    void whatIsNoAddressIsAnError();
    void onlyLoopbackIsLocal();
    void localHosts_data();
    void localHosts();
    void methodsOfAnyVersionHaveASignal();
    void theHolderOfAPortIsNamed();
};

void TestServerRules::addressesAreReadAndWritten_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("address");
    QTest::newRow("port") << QByteArray("4317") << QByteArray("localhost:4317");
    QTest::newRow("port with a colon") << QByteArray(":4317") << QByteArray("localhost:4317");
    QTest::newRow("host") << QByteArray("127.0.0.1") << QByteArray("127.0.0.1:11000");
    QTest::newRow("host and port") << QByteArray("0.0.0.0:4318") << QByteArray("0.0.0.0:4318");
    QTest::newRow("as an exporter's setting")
        << QByteArray("http://localhost:4318") << QByteArray("localhost:4318");
    QTest::newRow("IPv6") << QByteArray("[::1]:4317") << QByteArray("[::1]:4317");
    QTest::newRow("bare IPv6") << QByteArray("::1") << QByteArray("[::1]:11000");
    QTest::newRow("unix") << QByteArray("unix:/run/h.sock") << QByteArray("unix:/run/h.sock");
    QTest::newRow("unix with slashes") << QByteArray("unix:///run/h.sock") << QByteArray("unix:/run/h.sock");
    QTest::newRow("path") << QByteArray("./h.sock") << QByteArray("unix:./h.sock");
}

void TestServerRules::addressesAreReadAndWritten()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, address);
    QCOMPARE(QByteArray::fromStdString(shown(parseAddress(text.toStdString()))), address);
}

void TestServerRules::whatIsNoAddressIsAnError_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *const text : {"", "example.org:4317", "localhost:99999", "localhost:x", "[::1", "[]:1",
                                   "unix:", "1.2.3.4.5:1", "::1::2", "http://", "-1"})
        QTest::newRow(text) << QByteArray(text);
    QTest::newRow("a path that is too long") << QByteArray("/" + QByteArray(200, 'x'));
}

void TestServerRules::whatIsNoAddressIsAnError()
{
    QFETCH(QByteArray, text);
    const auto address = parseAddress(text.toStdString());
    QVERIFY2(!address, shown(address).c_str());
    QVERIFY(!address.error().message.empty());
}

void TestServerRules::onlyLoopbackIsLocal()
{
    for (const char *const text : {"localhost:1", "127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "unix:x"})
        QVERIFY2(parseAddress(text)->isLocal(), text);
    for (const char *const text : {"0.0.0.0:1", "192.168.1.5:1", "[::]:1", "[fe80::1]:1"})
        QVERIFY2(!parseAddress(text)->isLocal(), text);
}

void TestServerRules::localHosts_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<bool>("isLocal");
    for (const char *const host : {"localhost", "LocalHost:11000", "app.localhost:80", "localhost.",
                                   "127.0.0.1:11000", "127.1.2.3", "[::1]:4318", "[::1]"})
        QTest::newRow(host) << QByteArray(host) << true;
    for (const char *const host :
         {"", ":80", "evil.example", "localhost.evil.example", "notlocalhost", ".localhost.",
          "127.0.0.1.evil.example", "192.168.1.5", "[::2]", "[::1", "0.0.0.0"})
        QTest::newRow(host) << QByteArray(host) << false;
}

void TestServerRules::localHosts()
{
    QFETCH(QByteArray, host);
    QFETCH(bool, isLocal);
    QCOMPARE(isLocalHost(host.toStdString()), isLocal);
    QCOMPARE(isLocalOrigin("http://" + host.toStdString()), isLocal);
}

void TestServerRules::methodsOfAnyVersionHaveASignal()
{
    QVERIFY(signalOfMethod("/opentelemetry.proto.collector.profiles.v2.ProfilesService/Export") ==
            Signal::Profiles);
    QVERIFY(signalOfMethod("/opentelemetry.proto.collector.trace.v1.TraceService/Export") == Signal::Traces);
    QVERIFY(!signalOfMethod("/opentelemetry.proto.collector.trace.v1.LogsService/Export"));
    QVERIFY(!signalOfMethod("/other.TraceService/Export"));
}

void TestServerRules::theHolderOfAPortIsNamed()
{
    const QTemporaryDir folder;
    const std::filesystem::path proc = folder.path().toStdString();
    std::filesystem::create_directories(proc / "net");
    std::filesystem::create_directories(proc / "4711" / "fd");
    std::filesystem::create_directories(proc / "self");
    std::ofstream(proc / "net/tcp") << "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when "
                                       "retrnsmt   uid  timeout inode\n"
                                       "   0: 0100007F:2AF8 00000000:0000 0A 00000000:00000000 00:00000000 "
                                       "00000000  1000        0 31337 1 0\n"
                                       "   1: 0100007F:2AF9 00000000:0000 0A 00000000:00000000 00:00000000 "
                                       "00000000  1000        0 31338 1 0\n"
                                       "   2: 0100007F:2AFA 0100007F:1234 01 00000000:00000000 00:00000000 "
                                       "00000000  1000        0 31339 1 0\n";
    std::ofstream(proc / "4711/comm") << "grafana\n";
    std::filesystem::create_symlink("socket:[31337]", proc / "4711/fd/7");
    QCOMPARE(portHolder(11000, proc), std::string("grafana (process 4711)"));
    QCOMPARE(portHolder(11001, proc), std::string("a process of another user"));
    QCOMPARE(portHolder(11002, proc), std::string());
    QCOMPARE(nextFreePort(11000, proc).value_or(0), std::uint16_t(11002));
    QVERIFY(!nextFreePort(65535, proc));
}

QTEST_GUILESS_MAIN(TestServerRules)
#include "tst_server_rules.moc"
