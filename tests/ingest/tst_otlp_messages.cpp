#include "ingest/bytes/byte_sink.h"
#include "ingest/formats/otlp_messages.h"
#include "ingest/journal/message_file.h"

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
std::string described(const std::string &file, const ReadOptions &options = {})
{
    constexpr const char *kNames[] = {"profiles", "traces", "logs", "metrics"};
    std::string text;
    InputStream input(unpacked(memorySource(bytesOf(file))));
    Losses losses;
    OtlpMessages messages(input, options, losses);
    while (const auto message = messages.next()) {
        const auto signal = message->signal();
        text += std::string(signal ? kNames[static_cast<std::size_t>(*signal)] : "no OTLP") +
                (message->encoding == Encoding::Json ? " in JSON:" : ":") +
                std::to_string(message->bytes.size()) + (message->isCut ? " cut " : " ");
    }
    for (const std::string &problem : losses.details())
        text += problem + "; ";
    return text;
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

class TestOtlpMessages : public QObject {
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
                 std::string("traces in JSON:20 logs in JSON:19 traces in JSON:20 cut "));
        QCOMPARE(described(record(kSpans) + record(kLogs)),
                 std::string("traces in JSON:20 logs in JSON:19 "));
    }
    void anObjectOverSeveralLinesIsOneMessage()
    {
        const std::string text = "{\n  \"resourceSpans\": [\n  ]\n}\n";
        QCOMPARE(described(text), "traces in JSON:" + std::to_string(text.size() - 1) + ' ');
    }
    void messagesThatBeginLikeTextAreNone()
    {
        const auto field = [](char tag, const std::string &content) {
            return std::string{tag, static_cast<char>(content.size())} + content;
        };
        constexpr std::size_t kBrace = '{';
        for (std::size_t size = 0; size + 10 <= kBrace; ++size) {
            const std::string resource = field('\n', field('\n', field('\n', std::string(size, 'k'))));
            const std::string schema = field('\x1a', std::string(kBrace - resource.size() - 2, 'u'));
            const std::string message = field('\n', resource + schema);
            QVERIFY(message.starts_with("\n{"));
            QVERIFY2(described(message).find("in JSON") == std::string::npos, described(message).c_str());
        }
        QCOMPARE(described("\n{\n}"), std::string("no OTLP in JSON:3 "));
    }
    void aTornTailIsSaid()
    {
        const std::string whole = record(kSpans) + record(kLogs);
        for (std::size_t cut = 1; cut < kLogs.size() + 4; ++cut) {
            const std::string text = described(whole.substr(0, whole.size() - cut));
            const std::string problem =
                cut <= kLogs.size()
                    ? "the message at byte 28 has " + std::to_string(kLogs.size() - cut) + " of 19 bytes; "
                    : "the file ends within the length of a message, at byte 24; ";
            QCOMPARE(text, "traces in JSON:20 " + problem);
        }
    }
    void whatIsNoOtlpIsSaid()
    {
        for (const std::string &file : {std::string("hello\n"), std::string(R"({"traceEvents":[]})"),
                                        record(kSpans) + record("\x0f\x0f\x0f\x0f")}) {
            const std::string text = described(file);
            QVERIFY2(text.find("no OTLP") != std::string::npos, text.c_str());
        }
        QCOMPARE(described(""), std::string());
    }
    void aLengthBeyondTheFileTakesNoMemory()
    {
        const std::string text = described(std::string("\0\xff\xff\xff", 4) + "x");
        QCOMPARE(text, std::string("the message at byte 4 has 1 of 16777215 bytes; "));
    }
    void aMessageBeyondTheBudgetIsLeftOutAndTheNextIsRead()
    {
        const std::string large = R"({"resourceSpans":[)" + std::string(100'000, ' ') + "]}";
        QCOMPARE(
            described(zstdPrefixed(large) + record(kLogs), {.memoryBudget = 50'000}),
            std::string("logs in JSON:19 the message at byte 4 unpacks to more than the memory budget; "));
        const std::string all = described(large, {.memoryBudget = 50'000});
        QVERIFY2(all.find("is larger than the memory budget") != std::string::npos, all.c_str());
    }
    void aDamagedMessageDoesNotHideTheNext()
    {
        std::string damaged = zstdPrefixed(dataFile("traces.pb"));
        damaged[damaged.size() / 2] ^= 0x55;
        const std::string text = described(damaged + record(kLogs));
        QVERIFY2(text.find("logs in JSON:19 ") != std::string::npos, text.c_str());
        QVERIFY2(text.find("the message at byte 4: ") != std::string::npos, text.c_str());
    }
};

QTEST_GUILESS_MAIN(TestOtlpMessages)
#include "tst_otlp_messages.moc"
