#include "ingest/bytes/byte_sink.h"
#include "ingest/journal/message_file.h"
#include "ingest/journal/message_stream.h"

#include <QFile>
#include <QTest>

#include <string>

using namespace hearth;

namespace {

std::span<const std::uint8_t> bytesOf(const std::string &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

std::string dataFile(const char *name)
{
    QFile file(QStringLiteral(HEARTH_TEST_DATA "/otlp/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot open %s", name);
    return file.readAll().toStdString();
}

/// "traces:12" for each message, its signal and its size, and what went wrong.
std::string described(const std::string &file)
{
    constexpr const char *kNames[] = {"profiles", "traces", "logs", "metrics"};
    std::string text;
    MessageStream stream(memorySource(bytesOf(file)));
    for (StoredMessage message; stream.next(message);)
        text += std::string(kNames[static_cast<std::size_t>(message.signal)]) +
                (message.encoding == Encoding::Json ? " in JSON:" : ":") +
                std::to_string(message.bytes.size()) + ' ';
    return text + stream.problem();
}

std::string record(const std::string &message, Packing packing = Packing::None)
{
    return messageRecord(bytesOf(message), packing);
}

std::string zstdPrefixed(const std::string &message)
{
    return record(packed(bytesOf(message), Packing::Zstd));
}

const std::string kSpans = R"({"resourceSpans":[]})";
const std::string kLogs = R"({"resourceLogs":[]})";

} // namespace

class TestMessageStream : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lengthPrefixedMessagesTellTheirSignals()
    {
        const std::string profiles = dataFile("v1.8.0-pdata.pb");
        const std::string traces = dataFile("traces.pb");
        const std::string logs = dataFile("logs.pb");
        const std::string metrics = dataFile("metrics.pb");
        const std::string expected =
            "profiles:" + std::to_string(profiles.size()) + " traces:" + std::to_string(traces.size()) +
            " logs:" + std::to_string(logs.size()) + " metrics:" + std::to_string(metrics.size()) + ' ';
        for (const Packing packing : {Packing::None, Packing::Gzip, Packing::Zstd})
            QCOMPARE(described(record(profiles, packing) + record(traces, packing) + record(logs, packing) +
                               record(metrics, packing)),
                     expected);
        QCOMPARE(described(zstdPrefixed(profiles) + zstdPrefixed(traces) + zstdPrefixed(logs) +
                           zstdPrefixed(metrics)),
                 expected);
    }
    void aSingleMessageIsOne()
    {
        const std::string traces = dataFile("traces.pb");
        QCOMPARE(described(traces), "traces:" + std::to_string(traces.size()) + ' ');
        QCOMPARE(described(gzipped(traces)), "traces:" + std::to_string(traces.size()) + ' ');
    }
    void linesOfJsonAreMessages()
    {
        QCOMPARE(described(kSpans + "\n\n" + kLogs + "\r\n" + kSpans),
                 std::string("traces in JSON:20 logs in JSON:19 traces in JSON:20 "));
        QCOMPARE(described(record(kSpans) + record(kLogs)),
                 std::string("traces in JSON:20 logs in JSON:19 "));
    }
    void anObjectOverSeveralLinesIsOneMessage()
    {
        const std::string text = "{\n  \"resourceSpans\": [\n  ]\n}\n";
        QCOMPARE(described(text), "traces in JSON:" + std::to_string(text.size()) + ' ');
    }
    void aTornTailIsSaid()
    {
        const std::string whole = record(kSpans) + record(kLogs);
        for (std::size_t cut = 1; cut < kLogs.size() + 4; ++cut) {
            const std::string text = described(whole.substr(0, whole.size() - cut));
            QVERIFY2(text.starts_with("traces in JSON:20 "), text.c_str());
            QVERIFY2(text.find("ends in the middle of the message at byte 24") != std::string::npos,
                     text.c_str());
        }
    }
    void whatIsNoOtlpIsSaid()
    {
        for (const std::string &file : {std::string("hello\n"), std::string(R"({"traceEvents":[]})"),
                                        record(kSpans) + record("\x0f\x0f\x0f\x0f")}) {
            const std::string text = described(file);
            QVERIFY2(text.find("is no OTLP") != std::string::npos, text.c_str());
        }
        QCOMPARE(described(""), std::string());
    }
    void aLengthBeyondTheFileTakesNoMemory()
    {
        const std::string text = described(std::string("\0\xff\xff\xff", 4) + "x");
        QVERIFY2(text.find("ends in the middle") != std::string::npos, text.c_str());
    }
};

QTEST_GUILESS_MAIN(TestMessageStream)
#include "tst_message_stream.moc"
