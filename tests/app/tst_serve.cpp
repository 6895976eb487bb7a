#include "ingest/bytes/byte_source.h"
#include "ingest/client/client.h"
#include "ingest/formats/otlp_messages.h"
#include "ingest/journal/journal.h"
#include "tests/support/run_hearth.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <random>
#include <thread>

using namespace hearth;
using namespace hearth::test;

namespace {

const QString kProfiles = QStringLiteral(HEARTH_TEST_DATA "/otlp/v1.11.0-protoc.pb");

std::vector<std::uint8_t> bytesOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot open %s", qPrintable(path));
    const QByteArray bytes = file.readAll();
    return {bytes.begin(), bytes.end()};
}

std::vector<Signal> signalsIn(const std::string &path)
{
    InputStream input(unpacked(std::move(*openSource(path))));
    const ReadOptions options;
    Losses losses;
    OtlpMessages messages(input, options, losses);
    std::vector<Signal> signalsFound;
    while (const auto message = messages.next())
        signalsFound.push_back(message->signal().value());
    return signalsFound;
}

std::size_t messagesIn(const std::string &path)
{
    return signalsIn(path).size();
}

bool isAccepted(const Result<SendAnswer> &answer)
{
    return answer && answer->verdict == SendAnswer::Verdict::Accepted;
}

/// `hearth serve` on a free port, with a journal of its own.
class Serving {
public:
    explicit Serving(const QTemporaryDir &state, const QStringList &options = {})
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_STATE_HOME"), state.path());
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(QStringLiteral(HEARTH_PROGRAM),
                        QStringList{"serve", "--listen", "127.0.0.1:0"} + options);
        const QByteArray before = "listening on 127.0.0.1:";
        while (!m_said.contains(before) || !m_said.mid(m_said.indexOf(before)).contains('\n')) {
            if (!m_process.waitForReadyRead(30000) && m_process.state() == QProcess::NotRunning)
                qFatal("serve ended: %s", m_said.constData());
            m_said += m_process.readAll();
        }
        const qsizetype at = m_said.indexOf(before) + before.size();
        m_port = m_said.mid(at, m_said.indexOf('\n', at) - at).toUShort();
    }
    ~Serving()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    Address address() const { return {"127.0.0.1", m_port, {}}; }
    QString target() const { return QStringLiteral("127.0.0.1:%1").arg(m_port); }
    void raise(int signal) const { ::kill(static_cast<pid_t>(m_process.processId()), signal); }

    /// @return its exit status; -2 if it was killed
    int ended()
    {
        if (!m_process.waitForFinished(30000))
            return -1;
        m_said += m_process.readAll();
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -2;
    }
    const QByteArray &said() const { return m_said; }

private:
    QProcess m_process;
    QByteArray m_said;
    std::uint16_t m_port = 0;
};

} // namespace

/// `hearth serve` and `hearth send`, as users call them.
class TestServe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsSentIsSavedAndShown_data();
    void whatIsSentIsSavedAndShown();
    void allSignalsAreInOneFile();
    void curlIsUnderstood_data();
    void curlIsUnderstood();
    void aSignalEndsItWithEverythingFlushed();
    void theTimeEndsIt();
    void whatWasAcknowledgedSurvivesAKill();
    void aKilledRunIsTakenUp();
    void aBusyPortIsUnreadableInput();
    void sendingToNobodyIsAnAnswer();
    void wrongUseIsSaid_data();
    void wrongUseIsSaid();
};

void TestServe::whatIsSentIsSavedAndShown_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("options");
    QTest::newRow("gRPC") << "out.otlp" << QStringList{"--grpc"};
    QTest::newRow("gRPC, gzip") << "out.otlp.gz" << QStringList{"--gzip"};
    QTest::newRow("HTTP") << "out.otlp.zst" << QStringList{"--http"};
    QTest::newRow("JSON") << "out.otlp" << QStringList{"--json"};
    QTest::newRow("HTTP, gzip") << "out.otlp" << QStringList{"--http", "--gzip", "--connections", "3"};
}

void TestServe::whatIsSentIsSavedAndShown()
{
    QFETCH(QString, name);
    QFETCH(QStringList, options);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    Serving serving(folder, {"--save", path});
    const Outcome sent =
        runHearth(QStringList{"send", kProfiles, "--repeat", "5", "--to", serving.target()} + options);
    QVERIFY2(sent.status == 0, sent.err.constData());
    QVERIFY2(sent.out.startsWith("5 requests accepted"), sent.out.constData());
    serving.raise(SIGTERM);
    QCOMPARE(serving.ended(), 0);
    QVERIFY2(serving.said().contains("received 5 requests"), serving.said().constData());
    QCOMPARE(messagesIn(path.toStdString()), std::size_t(5));
    const auto total = [](const QString &file) {
        return QJsonDocument::fromJson(runHearth({"top", "--json", file}).out).object()["total"].toInteger();
    };
    QVERIFY(total(kProfiles) > 0);
    QCOMPARE(total(path), 5 * total(kProfiles));
}

void TestServe::allSignalsAreInOneFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("out.otlp.zst"));
    const QString data = QStringLiteral(HEARTH_TEST_DATA "/otlp/");
    Serving serving(folder, {"--save", path});
    for (const char *const transport : {"--grpc", "--http"}) {
        const Outcome sent =
            runHearth({"send", data + "v1.8.0-pdata.pb", data + "traces.pb", data + "logs.pb",
                       data + "metrics.pb", "--to", serving.target(), transport});
        QVERIFY2(sent.status == 0, sent.err.constData());
    }
    serving.raise(SIGTERM);
    QCOMPARE(serving.ended(), 0);
    const std::vector<Signal> saved = signalsIn(path.toStdString());
    const std::vector<Signal> once{Signal::Profiles, Signal::Traces, Signal::Logs, Signal::Metrics};
    QCOMPARE(saved.size(), 2 * once.size());
    QVERIFY(std::equal(once.begin(), once.end(), saved.begin()));
    QVERIFY(std::equal(once.begin(), once.end(), saved.begin() + 4));
    const QJsonObject info = QJsonDocument::fromJson(runHearth({"info", "--json", path}).out).object();
    QVERIFY(info["samples"].toInteger() > 0);
    QVERIFY(info["links"].toInteger() > 0); // of the spans
}

void TestServe::curlIsUnderstood_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("status");
    const QString data = QStringLiteral("@" HEARTH_TEST_DATA "/otlp/");
    const QStringList protobuf{"-H", "Content-Type: application/x-protobuf"};
    QTest::newRow("protobuf") << "/v1/traces" << QStringList{"--data-binary", data + "traces.pb"} + protobuf
                              << QByteArray("200");
    QTest::newRow("chunked") << "/v1/logs"
                             << QStringList{"--data-binary", data + "logs.pb", "-H",
                                            "Transfer-Encoding: chunked"} +
                                    protobuf
                             << QByteArray("200");
    QTest::newRow("JSON") << "/v1/traces"
                          << QStringList{"--data", R"({"resourceSpans":[]})", "-H",
                                         "Content-Type: application/json"}
                          << QByteArray("200");
    QTest::newRow("a form, as curl sends unless told otherwise")
        << "/v1/traces" << QStringList{"--data", "a=b"} << QByteArray("415");
    QTest::newRow("another path") << "/" << QStringList{} << QByteArray("404");
    QTest::newRow("a page of another host")
        << "/v1/traces" << QStringList{"--data", "{}", "-H", "Origin: http://evil.example"}
        << QByteArray("403");
    QTest::newRow("no OTLP") << "/v1/traces" << QStringList{"--data-binary", "\x0f\x0f\x0f"} + protobuf
                             << QByteArray("400");
}

void TestServe::curlIsUnderstood()
{
    QFETCH(QString, path);
    QFETCH(QStringList, options);
    QFETCH(QByteArray, status);
    const QTemporaryDir folder;
    const Serving serving(folder);
    QProcess curl;
    curl.start(QStringLiteral("curl"), QStringList{"--silent", "--noproxy", "*", "--output",
                                                   folder.filePath(QStringLiteral("answer")), "--write-out",
                                                   "%{http_code}", "http://" + serving.target() + path} +
                                           options);
    QVERIFY(curl.waitForFinished());
    QCOMPARE(curl.readAllStandardOutput(), status);
}

void TestServe::aSignalEndsItWithEverythingFlushed()
{
    for (const int signal : {SIGINT, SIGTERM}) {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("out.otlp"));
        Serving serving(folder, {"--save", path});
        std::atomic<std::size_t> accepted = 0;
        std::jthread sender([&, message = bytesOf(kProfiles)] {
            const auto client = grpcClient(serving.address(), {});
            while (isAccepted(client->send(Signal::Profiles, Encoding::Protobuf, message)))
                ++accepted;
        });
        while (accepted < 20)
            std::this_thread::yield();
        serving.raise(signal);
        QCOMPARE(serving.ended(), 0);
        sender.join();
        const std::size_t saved = messagesIn(path.toStdString());
        QVERIFY2(saved == accepted || saved == accepted + 1, // whose answer was cut off
                 (std::to_string(saved) + " of " + std::to_string(accepted)).c_str());
    }
}

void TestServe::theTimeEndsIt()
{
    const QTemporaryDir folder;
    Serving serving(folder, {"--for", "50ms"});
    QCOMPARE(serving.ended(), 0);
}

void TestServe::whatWasAcknowledgedSurvivesAKill()
{
    constexpr int kKills = 15;
    std::mt19937 random(11000);
    const std::vector<std::uint8_t> message = bytesOf(kProfiles);
    for (int kill = 0; kill < kKills; ++kill) {
        const QTemporaryDir folder;
        Serving serving(folder);
        const auto enough = static_cast<std::size_t>(random() % 40);
        std::atomic<std::size_t> accepted = 0;
        std::jthread sender([&] {
            const auto client =
                kill % 2 == 0 ? grpcClient(serving.address(), {}) : httpClient(serving.address(), {});
            while (isAccepted(client->send(Signal::Profiles, Encoding::Protobuf, message)))
                ++accepted;
        });
        while (accepted < enough)
            std::this_thread::yield();
        serving.raise(SIGKILL);
        QCOMPARE(serving.ended(), -2);
        sender.join();
        std::size_t kept = 0;
        for (const UnfinishedRun &run : unfinishedRuns(folder.path().toStdString() + "/hearth/journal"))
            for (const auto &segment : run.segments)
                kept += messagesIn(segment);
        QVERIFY2(kept >= accepted && kept <= accepted + 1,
                 (std::to_string(kept) + " of " + std::to_string(accepted)).c_str());
    }
}

void TestServe::aKilledRunIsTakenUp()
{
    const QTemporaryDir folder;
    {
        Serving killed(folder);
        QCOMPARE(runHearth({"send", kProfiles, "--repeat", "3", "--to", killed.target()}).status, 0);
        killed.raise(SIGKILL);
        QCOMPARE(killed.ended(), -2);
    }
    {
        Serving next(folder);
        QVERIFY2(next.said().contains("--restore takes it up"), next.said().constData());
        next.raise(SIGTERM);
        QCOMPARE(next.ended(), 0);
    }
    {
        Serving restored(folder, {"--restore"});
        QVERIFY2(restored.said().contains("3 requests restored"), restored.said().constData());
        restored.raise(SIGTERM);
        QCOMPARE(restored.ended(), 0);
    }
    Serving last(folder);
    QVERIFY2(!last.said().contains("earlier run"), last.said().constData());
}

void TestServe::aBusyPortIsUnreadableInput()
{
    const QTemporaryDir folder;
    const Serving serving(folder);
    const Outcome second = runHearth({"serve", "--no-journal", "--listen", serving.target()});
    QCOMPARE(second.status, 3);
    QVERIFY2(second.err.contains("the port is in use by hearth (process "), second.err.constData());
    QVERIFY2(second.err.contains("is free"), second.err.constData());
}

void TestServe::sendingToNobodyIsAnAnswer()
{
    const QTemporaryDir folder;
    const QString nobody = "unix:" + folder.filePath(QStringLiteral("nobody.sock"));
    for (const QString &transport : {QStringLiteral("--grpc"), QStringLiteral("--http")}) {
        const Outcome outcome = runHearth({"send", kProfiles, "--to", nobody, transport});
        QCOMPARE(outcome.status, 1);
        QVERIFY(!outcome.err.isEmpty());
    }
}

void TestServe::wrongUseIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("no address") << QStringList{"serve", "--listen", "example.org:1"}
                                << QByteArray("--listen");
    QTest::newRow("no duration") << QStringList{"serve", "--for", "soon"} << QByteArray("--for");
    QTest::newRow("a file to serve") << QStringList{"serve", kProfiles} << QByteArray("hearth send");
    QTest::newRow("nothing to send") << QStringList{"send"} << QByteArray("no file");
    QTest::newRow("two transports") << QStringList{"send", kProfiles, "--grpc", "--http"}
                                    << QByteArray("--grpc");
}

void TestServe::wrongUseIsSaid()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const Outcome outcome = runHearth(arguments);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains(says), outcome.err.constData());
}

QTEST_GUILESS_MAIN(TestServe)
#include "tst_serve.moc"
