#include "ingest/bytes/byte_sink.h"
#include "ingest/bytes/packing.h"
#include "ingest/bytes/wire_writer.h"
#include "ingest/formats/format.h"
#include "ingest/otlp/decode.h"
#include "ingest/otlp/generation.h"
#include "ingest/otlp/json/json_reader.h"
#include "ingest/otlp/json/json_writer.h"
#include "ingest/otlp/signal_of.h"
#include "model/store/store.h"
#include "tests/support/profile_text.h"
#include "tests/support/records_text.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

using Bytes = std::span<const std::uint8_t>;

std::string fileBytes(const QString &name)
{
    QFile file(QStringLiteral(HEARTH_TEST_DATA "/otlp/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot open %s", qPrintable(file.fileName()));
    return file.readAll().toStdString();
}

Bytes bytesOf(std::string_view text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

std::shared_ptr<const Snapshot> stored(Batch batch)
{
    Store store;
    store.append(std::move(batch));
    return store.publish();
}

std::string dumpOf(Result<DecodedOtlp> decoded)
{
    if (!decoded)
        return decoded.error().message;
    const auto snapshot = stored(std::move(decoded->batch));
    return snapshot->series.empty() ? test::dumpRecords(*snapshot) : test::dump(*snapshot);
}

/// @param text with ' for "
Result<DecodedOtlp> decodeJson(Signal signal, std::string text)
{
    std::ranges::replace(text, '\'', '"');
    return decodeOtlp(signal, Encoding::Json, bytesOf(text));
}

/// A span in JSON with these members.
std::string spanJson(const std::string &members)
{
    return "{'resourceSpans':[{'scopeSpans':[{'spans':[{" + members + "}]}]}]}";
}

std::string dumpOfSpan(const std::string &members)
{
    return dumpOf(decodeJson(Signal::Traces, spanJson(members)));
}

constexpr std::string_view kResource = " resource{ service.name=shop/0 process.pid=4242/1";

} // namespace

class TestOtlpSignals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tracesAreComplete()
    {
        auto decoded =
            decodeOtlp(Signal::Traces, Encoding::Protobuf, bytesOf(fileBytes(QStringLiteral("traces.pb"))));
        QVERIFY(decoded);
        QCOMPARE(decoded->accepted, std::uint64_t(2));
        QCOMPARE(decoded->rejected, std::uint64_t(0));
        QCOMPARE(decoded->batch.losses.count(Loss::DroppedBySender), std::uint64_t(1 + 9 + 5 + 6));
        const std::string around = std::string(kResource) +
                                   " otel.resource.schema_url=https://schemas/1.34/0 }"
                                   " scope{ otel.scope.name=http/0 otel.scope.version=1.2/0 short=true/3"
                                   " otel.scope.schema_url=https://schemas/1.30/0 }";
        COMPARE_TEXT(
            dumpOf(std::move(decoded)),
            QByteArray::fromStdString(
                "span GET /cart 1.16:1.1 in - 1700000000000000000..1700000000250000000 kind 2 status 2 "
                "'no stock' state 'a=b' flags 257 dropped 2/3/4" +
                around +
                " own{ http.status=-5/1 ratio=0.5/2 raw=00ff/4 list=[1,\"two\\\"\",3.0]/5"
                " map={\"in\":false,\"deep\":[]}/5 none=/0 }"
                " event(retry 1700000000100000000 dropped 5 attempt=2/1)"
                " event(done 1700000000200000000 dropped 0)"
                " link(9.9:8.8 c=d flags 768 dropped 6 why=batch/0)\n"
                "span SELECT 1.16:2.2 in 1.16:1.1 1700000000010000000..1700000000020000000 kind 3 status 0 ''"
                " state '' flags 0 dropped 0/0/0" +
                around + " own{ }\n"));
    }
    void logsAreComplete()
    {
        auto decoded =
            decodeOtlp(Signal::Logs, Encoding::Protobuf, bytesOf(fileBytes(QStringLiteral("logs.pb"))));
        QVERIFY(decoded);
        QCOMPARE(decoded->accepted, std::uint64_t(2));
        const std::string around = std::string(kResource) + " } scope{ otel.scope.name=http/0"
                                                            " otel.scope.version=1.2/0 short=true/3 }";
        COMPARE_TEXT(
            dumpOf(std::move(decoded)),
            QByteArray::fromStdString(
                "log 'out of stock' 1700000000110000000/1700000000120000000 severity 17 ERROR event '' flags "
                "1"
                " dropped 1 1.16:1.1" +
                around +
                " own{ item=tea/0 }\n"
                "log '{\"mode\":\"dark\"}' 0/1700000000130000000 severity 0  event 'device.change' flags 0"
                " dropped 0 -" +
                around + " own{ }\n"));
    }
    void allKindsOfMetricsAreComplete()
    {
        auto decoded =
            decodeOtlp(Signal::Metrics, Encoding::Protobuf, bytesOf(fileBytes(QStringLiteral("metrics.pb"))));
        QVERIFY(decoded);
        QCOMPARE(decoded->accepted, std::uint64_t(8));
        QCOMPARE(decoded->batch.metrics.size(), std::size_t(5));
        const std::string around = std::string(kResource) + " } scope{ otel.scope.name=http/0"
                                                            " otel.scope.version=1.2/0 short=true/3 } own{";
        COMPARE_TEXT(
            dumpOf(std::move(decoded)),
            QByteArray::fromStdString(
                "point queue 'waiting' {item} kind 0 temporality 0 owner=shop/0 0..1700000000000000000 -3i"
                " flags 0" +
                around +
                " lane=1/1 } exemplar(7i 1699999999000000000 1.16:2.2 user=u1/0)\n"
                "point queue 'waiting' {item} kind 0 temporality 0 owner=shop/0 0..1700000000000000000 2.5d"
                " flags 0" +
                around +
                " }\n"
                "point queue 'waiting' {item} kind 0 temporality 0 owner=shop/0 0..1700000001000000000 "
                "nothing"
                " flags 1" +
                around +
                " }\n"
                "point sold '' 1 kind 1 temporality 2 monotonic 1699999990000000000..1700000000000000000 12i"
                " flags 0" +
                around +
                " }\n"
                "point latency '' ms kind 2 temporality 1 1699999990000000000..1700000000000000000 nothing"
                " flags 0" +
                around +
                " } count 6 sum 12.5 min 0.5 max 5 scale 0 zero 0<0 buckets 0:1,2,3 negative 0: bounds "
                "1,2.5\n"
                "point latency '' ms kind 2 temporality 1 0..1700000000000000000 nothing flags 0" +
                around +
                " } count 4 scale 0 zero 0<0 buckets 0: negative 0: bounds \n"
                "point size '' By kind 3 temporality 1 0..1700000000000000000 nothing flags 0" +
                around +
                " } count 9 sum -1.5 scale -2 zero 2<1e-06 buckets -3:1,2,300 negative 4:4 bounds \n"
                "point age '' s kind 4 temporality 0 0..1700000000000000000 nothing flags 0" +
                around + " } count 2 sum 3 scale 0 zero 0<0 buckets 0: negative 0: bounds 0.5,1,0.99,2\n"));
    }
    void theSameInJsonIsReadTheSame_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("signal");
        QTest::addRow("traces") << QStringLiteral("traces.pb") << int(Signal::Traces);
        QTest::addRow("logs") << QStringLiteral("logs.pb") << int(Signal::Logs);
        QTest::addRow("metrics") << QStringLiteral("metrics.pb") << int(Signal::Metrics);
        const QDir folder(QStringLiteral(HEARTH_TEST_DATA "/otlp"));
        for (const QString &file : folder.entryList({QStringLiteral("v1*.pb")}))
            QTest::addRow("%s", qPrintable(file)) << file << int(Signal::Profiles);
    }
    void theSameInJsonIsReadTheSame()
    {
        QFETCH(QString, file);
        QFETCH(int, signal);
        const std::string bytes = fileBytes(file);
        otlp::WireMessage message{
            .signal = static_cast<Signal>(signal), .generation = otlp::Generation::V1_10, .bytes = bytes};
        if (message.signal == Signal::Profiles)
            message.generation = otlp::detectGeneration(bytesOf(bytes))->generation;
        const std::string json = otlp::jsonOf({&message, 1});
        const auto fromJson = decodeJson(message.signal, json);
        QVERIFY2(fromJson, fromJson ? "" : fromJson.error().message.c_str());
        QVERIFY(!fromJson->batch.losses.count(Loss::MalformedRecords));
        QVERIFY(!fromJson->batch.losses.count(Loss::UnknownFields));
        COMPARE_TEXT(dumpOf(decodeJson(message.signal, json)),
                     QByteArray::fromStdString(
                         dumpOf(decodeOtlp(message.signal, Encoding::Protobuf, bytesOf(bytes)))));
        if (message.generation == otlp::Generation::V1_9) // whose names are those of 1.10
            return;
        COMPARE_TEXT(fromJson->batch.origin.generation,
                     message.signal == Signal::Profiles
                         ? QByteArray::fromStdString(std::string(otlp::nameOf(message.generation)))
                         : QByteArray());
        Losses losses;
        const auto again = otlp::readJson(json, losses);
        QVERIFY(again);
        COMPARE_TEXT(otlp::jsonOf(*again), QByteArray::fromStdString(json));
    }
    void keysMayBeInSnakeCase()
    {
        COMPARE_TEXT(
            dumpOf(decodeJson(Signal::Traces, "{'resource_spans':[{'scope_spans':[{'spans':[{'name':'x',"
                                              "'start_time_unix_nano':'5'}]}]}]}")),
            QByteArray::fromStdString(dumpOfSpan("'name':'x','startTimeUnixNano':5")));
    }
    void numbersMayBeTextsAndEnumerationsNames()
    {
        const std::string expected = dumpOfSpan("'kind':3,'endTimeUnixNano':'1700000000000000001'");
        COMPARE_TEXT(dumpOfSpan("'kind':'SPAN_KIND_CLIENT','endTimeUnixNano':1700000000000000001"),
                     QByteArray::fromStdString(expected));
        COMPARE_TEXT(dumpOfSpan("'kind':'3','endTimeUnixNano':'1700000000000000001'"),
                     QByteArray::fromStdString(expected));
        QVERIFY(expected.find("0..1700000000000000001 kind 3") != std::string::npos);
        QVERIFY(dumpOfSpan("'status':{'code':'STATUS_CODE_ERROR'}").find("status 2") != std::string::npos);
        QVERIFY(dumpOfSpan("'droppedLinksCount':1e1").find("dropped 0/0/10") != std::string::npos);
        QVERIFY(dumpOf(decodeJson(Signal::Logs, "{'resourceLogs':[{'scopeLogs':[{'logRecords':[{"
                                                "'severityNumber':'SEVERITY_NUMBER_WARN2'}]}]}]}"))
                    .find("severity 14") != std::string::npos);
    }
    void idsAreHexadecimalOfEitherCaseOrBase64()
    {
        const std::string expected =
            dumpOfSpan("'traceId':'5b8efff798038103d269b633813fc60c','spanId':'eee19b7ec3c1b174'");
        QVERIFY(expected.find("91.12:238.116") != std::string::npos);
        COMPARE_TEXT(dumpOfSpan("'traceId':'5B8EFFF798038103D269B633813FC60C','spanId':'EEE19B7EC3C1B174'"),
                     QByteArray::fromStdString(expected));
        COMPARE_TEXT(dumpOfSpan("'traceId':'W47/95gDgQPSabYzgT/GDA==','spanId':'7uGbfsPBsXQ='"),
                     QByteArray::fromStdString(expected));
    }
    void numbersBeyondAllBoundsAreRead()
    {
        const auto dump = dumpOf(decodeJson(
            Signal::Metrics, "{'resourceMetrics':[{'scopeMetrics':[{'metrics':[{'name':'m','gauge':"
                             "{'dataPoints':[{'asDouble':'NaN'},{'asDouble':'-Infinity'},"
                             "{'asInt':'-9223372036854775808'},"
                             "{'timeUnixNano':'18446744073709551615'}]}}]}]}]}"));
        QVERIFY(dump.find(" nand ") != std::string::npos);
        QVERIFY(dump.find(" -infd ") != std::string::npos);
        QVERIFY(dump.find(" -9223372036854775808i ") != std::string::npos);
        QVERIFY(dump.find("0..18446744073709551615 ") != std::string::npos);
    }
    void unknownKeysAndNullsAreIgnored()
    {
        const auto decoded = decodeJson(
            Signal::Traces, spanJson("'name':'x','new':{'a':[1,{'b':'}'}]},'kind':null,'links':null"));
        QVERIFY(decoded);
        QCOMPARE(decoded->accepted, std::uint64_t(1));
        QCOMPARE(decoded->batch.losses.count(Loss::UnknownFields), std::uint64_t(1));
        QCOMPARE(decoded->batch.losses.count(Loss::MalformedRecords), std::uint64_t(0));
    }
    void aValueThatDoesNotFitIsLeftOutWithItsPath()
    {
        const auto decoded =
            decodeJson(Signal::Traces, spanJson("'name':'x','traceId':'xyz','events':[{},5],'kind':'odd'"));
        QVERIFY(decoded);
        QCOMPARE(decoded->accepted, std::uint64_t(1));
        const auto &details = decoded->batch.losses.details();
        QCOMPARE(details.size(), std::size_t(3));
        COMPARE_TEXT(details[0],
                     "resourceSpans[0].scopeSpans[0].spans[0].traceId: \"xyz\" is not what belongs here");
        COMPARE_TEXT(details[1], "resourceSpans[0].scopeSpans[0].spans[0].events[1]: not an object");
    }
    void brokenJsonIsRefusedWithTheReason()
    {
        for (const char *text :
             {"", "  \n", "{", "[]", "7", "{'resourceSpans':", "{'resourceSpans':[{]}",
              "{'resourceSpans':[{'scopeSpans':[{'spans':[{'name':'x'}]}", "{'resourceSpans':[{'a' 1}]}"}) {
            const auto decoded = decodeJson(Signal::Traces, text);
            QVERIFY2(!decoded, text);
            QVERIFY(decoded.error().message.size() > 10);
        }
    }
    void anEmptyRequestIsNoError()
    {
        for (const Signal signal : {Signal::Profiles, Signal::Traces, Signal::Logs, Signal::Metrics}) {
            QCOMPARE(decodeJson(signal, "{}").value().accepted, std::uint64_t(0));
            QCOMPARE(decodeOtlp(signal, Encoding::Protobuf, {}).value().accepted, std::uint64_t(0));
        }
    }
    void aMessageOfAnotherSignalIsRefused() { QVERIFY(!decodeJson(Signal::Logs, spanJson("'name':'x'"))); }
    void deepJsonIsCutAndTheRestKept()
    {
        std::string deep = "{'stringValue':'x'}";
        for (int i = 0; i < 2000; ++i)
            deep = "{'arrayValue':{'values':[" + deep + "]}}";
        const auto decoded = decodeJson(
            Signal::Traces, spanJson("'attributes':[{'key':'deep','value':" + deep + "}],'name':'x'"));
        QVERIFY2(decoded, decoded ? "" : decoded.error().message.c_str());
        QCOMPARE(decoded->accepted, std::uint64_t(1));
        QVERIFY(decoded->batch.losses.count(Loss::OversizedFields) > 0);
    }
    void bytesThatAreNoUtf8AreReplacedAndCounted()
    {
        const std::string json = spanJson("'name':'a\xff z'");
        QCOMPARE(decodeJson(Signal::Traces, json)->batch.losses.count(Loss::DamagedInput), std::uint64_t(1));
        QVERIFY(dumpOf(decodeJson(Signal::Traces, json)).starts_with("span a\xef\xbf\xbd z "));
    }
    void aDamagedRecordIsLeftOutWithItsPlaceAndTheRestKept()
    {
        std::string bytes = fileBytes(QStringLiteral("traces.pb"));
        const std::size_t at = bytes.find("SELECT");
        bytes[at - 1] = 0x7f; // its length
        const auto decoded = decodeOtlp(Signal::Traces, Encoding::Protobuf, bytesOf(bytes));
        QVERIFY(decoded);
        QCOMPARE(decoded->accepted, std::uint64_t(1));
        QCOMPARE(decoded->rejected, std::uint64_t(1));
        const std::string &detail = decoded->batch.losses.details().front();
        QVERIFY2(detail.starts_with("a span left out: it is damaged, at byte "), detail.c_str());
    }
    void bucketsThatDoNotFitTheirBoundsAreLeftOut()
    {
        const auto decoded = decodeJson(
            Signal::Metrics, "{'resourceMetrics':[{'scopeMetrics':[{'metrics':[{'name':'m','histogram':"
                             "{'dataPoints':[{'bucketCounts':[1,2],'explicitBounds':[1,2]},"
                             "{'bucketCounts':[1],'explicitBounds':[]}]}}]}]}]}");
        QCOMPARE(decoded->accepted, std::uint64_t(1));
        QCOMPARE(decoded->rejected, std::uint64_t(1));
    }
    void whatIsAroundRecordsMayStandBehindThem()
    {
        COMPARE_TEXT(
            dumpOf(decodeJson(Signal::Traces,
                              "{'resourceSpans':[{'scopeSpans':[{'spans':[{'name':'x'}],'scope':{'name':'s'}}"
                              "],'resource':{'attributes':[{'value':{'intValue':'1'},'key':'a'}]}}]}")),
            QByteArray("span x - in - 0..0 kind 0 status 0 '' state '' flags 0 dropped 0/0/0"
                       " resource{ a=1/1 } scope{ otel.scope.name=s/0 } own{ }\n"));
    }
    void filesMayHaveAllSignalsInAnyFraming()
    {
        const std::array names{QStringLiteral("traces.pb"), QStringLiteral("logs.pb"),
                               QStringLiteral("metrics.pb"), QStringLiteral("v1.11.0-protoc.pb")};
        std::string framed;
        std::string delimited;
        std::string lines;
        for (const QString &name : names) {
            const std::string bytes = fileBytes(name);
            framed += {0, 0, static_cast<char>(bytes.size() >> 8), static_cast<char>(bytes.size() & 255)};
            framed += bytes;
            WireWriter(delimited).varint(bytes.size());
            delimited += bytes;
            const otlp::WireMessage message{.signal = otlp::signalOf(bytesOf(bytes)),
                                            .generation = otlp::Generation::V1_10,
                                            .bytes = bytes};
            lines += otlp::jsonOf({&message, 1}) + "\n\n";
        }
        for (const std::string &file : {framed, delimited, lines, gzipped(framed), "\xef\xbb\xbf" + lines}) {
            Result<Batch> batch = readProfile(memorySource(bytesOf(file)), {});
            QVERIFY2(batch, batch ? "" : batch.error().message.c_str());
            QVERIFY(!batch->losses.count(Loss::MalformedRecords));
            const auto snapshot = stored(std::move(*batch));
            QCOMPARE(snapshot->spans.rows, std::uint64_t(2));
            QCOMPARE(snapshot->logs.rows, std::uint64_t(2));
            QCOMPARE(snapshot->points.rows, std::uint64_t(8));
            QCOMPARE(snapshot->sampleCount(), std::uint64_t(1));
            COMPARE_TEXT(snapshot->origins[0].generation, "1.10");
        }
    }
    void aLargeFileIsHandedOverInParts()
    {
        const std::string line = "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"name\":\"x\"}]}]}]}\n";
        const std::string file = line + line + line + line;
        std::size_t left = 3;
        std::size_t spans = 0;
        ReadOptions options{.name = "parts", .memoryBudget = line.size() - 1};
        options.takePart = [&](Batch part) {
            spans += part.spans.rows.size();
            return --left;
        };
        const auto last = readProfile(memorySource(bytesOf(file)), options);
        QVERIFY(last);
        QCOMPARE(spans, std::size_t(3));
        QCOMPARE(last->spans.rows.size(), std::size_t(0));
        QCOMPARE(last->losses.count(Loss::SamplesOverBudget), std::uint64_t(1));
        left = 10;
        QCOMPARE(readProfile(memorySource(bytesOf(file)), options)->losses.any(), false);
        QCOMPARE(spans, std::size_t(7));
    }
    void aFileWithOneMessageOfAnySignalIsRead()
    {
        for (const auto &name :
             {QStringLiteral("traces.pb"), QStringLiteral("logs.pb"), QStringLiteral("metrics.pb")}) {
            const std::string bytes = fileBytes(name);
            const auto batch = readProfile(memorySource(bytesOf(bytes)), {});
            QVERIFY2(batch, batch ? "" : batch.error().message.c_str());
            QVERIFY(batch->spans.rows.size() + batch->logs.rows.size() + batch->points.rows.size() > 1);
        }
    }
    void jsonMayBeLaidOutOverLinesOrTorn()
    {
        const std::string laidOut = "{\n  \"resourceSpans\": [\n {\"scopeSpans\": [{\"spans\": [\n"
                                    "{\"name\": \"x\"}\n]}]}\n]\n}\n";
        QCOMPARE(readProfile(memorySource(bytesOf(laidOut)), {})->spans.rows.size(), std::size_t(1));
        const std::string line = "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"name\":\"x\"}]}]}]}\n";
        const std::string torn = line + "{\"resourceSpans\":[{} {}]}\n" + line + line.substr(0, 30);
        const auto batch = readProfile(memorySource(bytesOf(torn)), {});
        QCOMPARE(batch->spans.rows.size(), std::size_t(2));
        QCOMPARE(batch->losses.count(Loss::MalformedRecords), std::uint64_t(1));
        QCOMPARE(batch->losses.count(Loss::TruncatedInput), std::uint64_t(1));
    }
    void droppedAttributesOfProfilesAreCounted_data()
    {
        QTest::addColumn<QString>("json");
        const auto row = [](const char *name, const char *text) {
            QTest::addRow("%s", name)
                << QString::fromLatin1(text).replace(QLatin1Char('\''), QLatin1Char('"'));
        };
        row("1.3", "{'resourceProfiles':[{'scopeProfiles':[{'profiles':[{'droppedAttributesCount':7,"
                   "'profile':{'stringTable':['']}}]}]}]}");
        row("1.4", "{'resourceProfiles':[{'scopeProfiles':[{'profiles':[{'droppedAttributesCount':7,"
                   "'stringTable':['']}]}]}]}");
        row("1.7", "{'resourceProfiles':[{'scopeProfiles':[{'profiles':[{'droppedAttributesCount':7}]}]}],"
                   "'dictionary':{'attributeUnits':[]}}");
        row("1.8", "{'resourceProfiles':[{'scopeProfiles':[{'profiles':[{'droppedAttributesCount':7,"
                   "'sample':[]}]}]}],'dictionary':{'stackTable':[{}]}}");
        row("1.10", "{'resourceProfiles':[{'resource':{'droppedAttributesCount':2},'scopeProfiles':[{"
                    "'scope':{'droppedAttributesCount':1},'profiles':[{'droppedAttributesCount':4,"
                    "'samples':[]}]}]}],'dictionary':{'stackTable':[{}]}}");
    }
    void droppedAttributesOfProfilesAreCounted()
    {
        QFETCH(QString, json);
        const auto decoded = decodeOtlp(Signal::Profiles, Encoding::Json, bytesOf(json.toStdString()));
        QVERIFY2(decoded, decoded ? "" : decoded.error().message.c_str());
        COMPARE_TEXT(decoded->batch.origin.generation, QTest::currentDataTag());
        QCOMPARE(decoded->accepted, std::uint64_t(1));
        QCOMPARE(decoded->batch.losses.count(Loss::DroppedBySender), std::uint64_t(7));
        QCOMPARE(decoded->batch.losses.count(Loss::UnknownFields), std::uint64_t(0));
    }
    void originalPayloadsAreCounted_data()
    {
        QTest::addColumn<QString>("json");
        const auto row = [](const char *name, const char *text) {
            QTest::addRow("%s", name)
                << QString::fromLatin1(text).replace(QLatin1Char('\''), QLatin1Char('"'));
        };
        row("1.3", "{'resourceProfiles':[{'scopeProfiles':[{'profiles':[{'originalPayload':'eHh4',"
                   "'profile':{'stringTable':['']}}]}]}]}");
        row("1.4", "{'resourceProfiles':[{'scopeProfiles':[{'profiles':[{'originalPayload':'eHh4',"
                   "'stringTable':['']}]}]}]}");
        row("1.7", "{'resourceProfiles':[{'scopeProfiles':[{'profiles':[{'originalPayload':'eHh4'}]}]}],"
                   "'dictionary':{'attributeUnits':[]}}");
        row("1.8", "{'resourceProfiles':[{'scopeProfiles':[{'profiles':[{'originalPayload':'eHh4',"
                   "'sample':[]}]}]}],'dictionary':{'stackTable':[{}]}}");
        row("1.10", "{'resourceProfiles':[{'scopeProfiles':[{'profiles':[{'originalPayload':'eHh4',"
                    "'samples':[]}]}]}],'dictionary':{'stackTable':[{}]}}");
    }
    void originalPayloadsAreCounted()
    {
        QFETCH(QString, json);
        const auto decoded = decodeOtlp(Signal::Profiles, Encoding::Json, bytesOf(json.toStdString()));
        QVERIFY2(decoded, decoded ? "" : decoded.error().message.c_str());
        COMPARE_TEXT(decoded->batch.origin.generation, QTest::currentDataTag());
        QCOMPARE(decoded->batch.losses.count(Loss::OriginalPayloads), std::uint64_t(1));
    }
    void aLengthOfFourGigabytesIsATornTail()
    {
        const std::string traces = fileBytes(QStringLiteral("traces.pb"));
        std::string file{0, 0, static_cast<char>(traces.size() >> 8), static_cast<char>(traces.size() & 255)};
        file += traces + "\xff\xff\xff\xff\x0a";
        const auto batch = readProfile(memorySource(bytesOf(file)), {});
        QVERIFY(batch);
        QCOMPARE(batch->spans.rows.size(), std::size_t(2));
        QCOMPARE(batch->losses.count(Loss::TruncatedInput), std::uint64_t(1));
    }
    void aPackedMessageThatIsABombIsLeftOut()
    {
        const std::string zeros(std::size_t(64) << 20, '\0');
        const std::string bomb = packed(bytesOf(zeros), Packing::Zstd);
        const std::string traces = packed(bytesOf(fileBytes(QStringLiteral("traces.pb"))), Packing::Zstd);
        std::string file;
        for (const std::string &message : {traces, bomb, traces}) {
            for (int shift = 24; shift >= 0; shift -= 8)
                file += static_cast<char>(message.size() >> shift & 255);
            file += message;
        }
        ReadOptions options;
        options.memoryBudget = std::size_t(16) << 20;
        const auto batch = readProfile(memorySource(bytesOf(file)), options);
        QVERIFY2(batch, batch ? "" : batch.error().message.c_str());
        QCOMPARE(batch->spans.rows.size(), std::size_t(4));
        QCOMPARE(batch->losses.count(Loss::OversizedFields), std::uint64_t(1));
    }
    void varintsMayBeLongerThanNeeded()
    {
        // kind 3 in ten bytes, the tag of the name in two
        const std::string span =
            std::string("\x30\x83\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11) + std::string("\xaa\x00\x01x", 4);
        std::string scope;
        WireWriter(scope).bytes(2, span);
        std::string resource;
        WireWriter(resource).bytes(2, scope);
        std::string data;
        WireWriter(data).bytes(1, resource);
        QVERIFY(dumpOf(decodeOtlp(Signal::Traces, Encoding::Protobuf, bytesOf(data)))
                    .starts_with("span x - in - 0..0 kind 3 "));
    }
    void textThatIsNoUtf8IsKeptAndWrittenAsWhatCanBe()
    {
        std::string bytes = fileBytes(QStringLiteral("traces.pb"));
        bytes[bytes.find("SELECT")] = '\xff';
        auto decoded = decodeOtlp(Signal::Traces, Encoding::Protobuf, bytesOf(bytes));
        QCOMPARE(decoded->accepted, std::uint64_t(2));
        const otlp::WireMessage message{
            .signal = Signal::Traces, .generation = otlp::Generation::V1_10, .bytes = bytes};
        QVERIFY(dumpOf(decodeOtlp(Signal::Traces, Encoding::Json, bytesOf(otlp::jsonOf({&message, 1}))))
                    .find("span \xef\xbf\xbd"
                          "ELECT ") != std::string::npos);
    }
    void cutAndFlippedMessagesDoNoHarm_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("signal");
        QTest::addRow("traces") << QStringLiteral("traces.pb") << int(Signal::Traces);
        QTest::addRow("logs") << QStringLiteral("logs.pb") << int(Signal::Logs);
        QTest::addRow("metrics") << QStringLiteral("metrics.pb") << int(Signal::Metrics);
    }
    void cutAndFlippedMessagesDoNoHarm()
    {
        QFETCH(QString, file);
        QFETCH(int, signal);
        const std::string whole = fileBytes(file);
        const otlp::WireMessage message{
            .signal = static_cast<Signal>(signal), .generation = otlp::Generation::V1_10, .bytes = whole};
        const std::string json = otlp::jsonOf({&message, 1});
        const auto tryBoth = [&](const std::string &bytes, Encoding encoding) {
            auto decoded = decodeOtlp(message.signal, encoding, bytesOf(bytes));
            if (decoded)
                (void)test::dumpRecords(*stored(std::move(decoded->batch)));
        };
        for (const auto &[text, encoding] :
             {std::pair(whole, Encoding::Protobuf), std::pair(json, Encoding::Json)}) {
            for (std::size_t length = 0; length < text.size(); ++length)
                tryBoth(text.substr(0, length), encoding);
            for (std::size_t bit = 0; bit < text.size() * 8; bit += encoding == Encoding::Json ? 5 : 1) {
                std::string flipped = text;
                flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
                tryBoth(flipped, encoding);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestOtlpSignals)
#include "tst_otlp_signals.moc"
