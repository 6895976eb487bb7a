#include "ingest/bytes/wire_writer.h"
#include "ingest/formats/format.h"
#include "ingest/otlp/decode.h"
#include "model/store/store.h"
#include "tests/support/profile_text.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <random>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

using Bytes = std::span<const std::uint8_t>;

std::vector<std::uint8_t> fileBytes(const QString &name)
{
    QFile file(QStringLiteral(HEARTH_TEST_DATA "/otlp/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot open %s", qPrintable(file.fileName()));
    const QByteArray bytes = file.readAll();
    return {bytes.begin(), bytes.end()};
}

Result<DecodedOtlp> decode(Bytes message)
{
    return decodeOtlp(Signal::Profiles, Encoding::Protobuf, message);
}

Result<DecodedOtlp> decode(const std::string &message)
{
    return decode(Bytes(reinterpret_cast<const std::uint8_t *>(message.data()), message.size()));
}

std::shared_ptr<const Snapshot> stored(Batch batch)
{
    Store store;
    store.append(std::move(batch));
    return store.publish();
}

/// A message put together by hand.
struct Message {
    std::string bytes;

    Message &varint(std::uint32_t number, std::uint64_t value)
    {
        put(number << 3);
        put(value);
        return *this;
    }
    Message &text(std::uint32_t number, std::string_view payload)
    {
        put(number << 3 | 2);
        put(payload.size());
        bytes += payload;
        return *this;
    }
    Message &fixed(std::uint32_t number, std::uint64_t value)
    {
        put(number << 3 | 1);
        return raw(value);
    }
    Message &times(std::uint32_t number, std::initializer_list<std::uint64_t> times)
    {
        put(number << 3 | 2);
        put(times.size() * 8);
        for (const std::uint64_t time : times)
            raw(time);
        return *this;
    }
    Message &packed(std::uint32_t number, std::initializer_list<std::uint64_t> values)
    {
        Message inner;
        for (const std::uint64_t value : values)
            inner.put(value);
        return text(number, inner.bytes);
    }

private:
    void put(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            bytes += static_cast<char>(value | 0x80);
        bytes += static_cast<char>(value);
    }
    Message &raw(std::uint64_t value)
    {
        for (int i = 0; i < 8; ++i)
            bytes += static_cast<char>(value >> (8 * i));
        return *this;
    }
};

/// Strings 1 to 9: samples count cpu nanoseconds main f profile.frame.type kernel thread.name; frames main
/// (1) and f (2, of the kernel); stack 1: main;f; attribute 2: thread.name=w.
Message dictionary()
{
    Message dictionary;
    dictionary.text(1, "").text(2, "").text(3, "").text(4, "").text(6, "").text(7, "");
    for (const char *text : {"", "samples", "count", "cpu", "nanoseconds", "main", "f", "profile.frame.type",
                             "kernel", "thread.name"})
        dictionary.text(5, text);
    dictionary.text(3, Message().varint(1, 5).bytes).text(3, Message().varint(1, 6).bytes);
    dictionary.text(6, Message().varint(1, 7).text(2, Message().text(1, "kernel").bytes).bytes);
    dictionary.text(6, Message().varint(1, 9).text(2, Message().text(1, "w").bytes).bytes);
    dictionary.text(2, Message().text(3, Message().varint(1, 1).bytes).bytes);
    dictionary.text(2, Message().text(3, Message().varint(1, 2).bytes).packed(4, {1}).bytes);
    dictionary.text(7, Message().packed(1, {2, 1}).bytes);
    return dictionary;
}

/// One profile of samples/count with these samples.
std::string request(std::initializer_list<std::string> samples)
{
    Message profile;
    profile.text(1, Message().varint(1, 1).varint(2, 2).bytes).fixed(3, 1000).varint(4, 500);
    for (const std::string &sample : samples)
        profile.text(2, sample);
    const std::string scope = Message().text(2, profile.bytes).bytes;
    const std::string resource = Message().text(2, scope).bytes;
    return Message().text(1, resource).text(2, dictionary().bytes).bytes;
}

std::string dumpOf(const std::string &message)
{
    return test::dump(*stored(decode(message).value().batch));
}

/// What dump() prints for stack 1 of the dictionary.
const QByteArray kStack = "main:0:0/0+0;f:0:0/0+0";

} // namespace

class TestOtlp : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyGenerationIsToldApartAndReadTheSame_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("generation");
        const QDir folder(QStringLiteral(HEARTH_TEST_DATA "/otlp"));
        for (const QString &file : folder.entryList({QStringLiteral("v*.pb")})) {
            const QString version =
                file.section(QLatin1Char('-'), 0, 0).mid(1).section(QLatin1Char('.'), 0, 1);
            const QString read = version == QLatin1String("1.5")    ? QStringLiteral("1.4")
                                 : version == QLatin1String("1.11") ? QStringLiteral("1.10")
                                                                    : version;
            QTest::addRow("%s", qPrintable(file)) << file << read.toLatin1();
        }
    }
    void everyGenerationIsToldApartAndReadTheSame()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, generation);
        auto decoded = decode(fileBytes(file)).value();
        // Where 1.8 and 1.9 are alike, either will do.
        if (generation != "1.8" || decoded.batch.origin.generation != "1.9")
            COMPARE_TEXT(decoded.batch.origin.generation, generation);
        QCOMPARE(decoded.accepted, std::uint64_t(1));
        QVERIFY(!decoded.batch.losses.any());
        const auto snapshot = stored(std::move(decoded.batch));
        COMPARE_TEXT(test::dump(*snapshot), goldenDump());
    }
    void whatTheMostUsedAgentSendsIsRead()
    {
        const auto snapshot = stored(readProfile(HEARTH_TEST_DATA "/otlp/agent-20hz.otlp.gz").value());
        QCOMPARE(snapshot->sampleCount(), std::uint64_t(1009));
        QVERIFY(!snapshot->losses.any());
        const std::string top = test::top(snapshot, "series:samples by:process.executable.name");
        QVERIFY2(top.starts_with("node 161 161\njava 150 150\n"), top.c_str());
    }
    void aDataSetOpensWithTheTimeOfItsCounts()
    {
        const auto snapshot = stored(decode(fileBytes(QStringLiteral("v1.11.0-protoc.pb"))).value().batch);
        COMPARE_TEXT(test::top(snapshot), "foo 30000000 30000000\nmain 0 30000000\n");
    }
    void framedFilesAreReadMessageByMessage()
    {
        const auto snapshot = stored(readProfile(HEARTH_TEST_DATA "/otlp/fileexporter-v1.11.0.bin").value());
        QCOMPARE(snapshot->sampleCount(), std::uint64_t(2));
        auto bytes = fileBytes(QStringLiteral("fileexporter-v1.11.0.bin"));
        bytes.resize(bytes.size() - 5);
        auto torn = readProfile(memorySource(bytes), {.name = "torn", .stop = {}, .progress = {}}).value();
        QCOMPARE(torn.losses.count(Loss::TruncatedInput), std::uint64_t(1));
        QCOMPARE(stored(std::move(torn))->sampleCount(), std::uint64_t(1));
    }
    void aTimeWithoutAValueCountsOne()
    {
        COMPARE_TEXT(dumpOf(request({Message().varint(1, 1).times(5, {1001, 1002}).bytes})),
                     kStack + " samples/count=1 @1001\n" + kStack + " samples/count=1 @1002\n");
    }
    void valuesAndTimesBelongTogetherInOrder()
    {
        COMPARE_TEXT(dumpOf(request({Message().varint(1, 1).packed(4, {3, 5}).times(5, {1001, 1002}).bytes})),
                     kStack + " samples/count=3 @1001\n" + kStack + " samples/count=5 @1002\n");
    }
    void aValueWithoutATimeStandsAlone()
    {
        COMPARE_TEXT(dumpOf(request({Message().varint(1, 1).packed(2, {2}).packed(4, {7}).bytes})),
                     kStack + " samples/count=7 |thread.name=w\n");
    }
    void aSampleOfAStackThatDoesNotExistIsSkippedAndTheRestKept()
    {
        auto decoded = decode(request({Message().varint(1, 99).times(5, {1001}).bytes,
                                       Message().varint(1, 1).times(5, {1002}).bytes}))
                           .value();
        QCOMPARE(decoded.batch.losses.count(Loss::MalformedRecords), std::uint64_t(1));
        COMPARE_TEXT(test::dump(*stored(std::move(decoded.batch))), kStack + " samples/count=1 @1002\n");
    }
    void aSampleWithNeitherValueNorTimeIsSkipped()
    {
        const auto decoded = decode(request({Message().varint(1, 1).bytes})).value();
        QCOMPARE(decoded.batch.losses.count(Loss::SamplesWithWrongValueCount), std::uint64_t(1));
    }
    void frameTypesAreKeptAsSent()
    {
        const auto snapshot =
            stored(decode(request({Message().varint(1, 1).times(5, {1}).bytes})).value().batch);
        COMPARE_TEXT(test::top(snapshot, "type:kernel"), "f 1 1\nmain 0 1\n");
    }
    void profilesWithoutADictionaryAreRefusedWithTheReason()
    {
        const std::string profile = Message().varint(4, 1).bytes;
        const std::string message =
            Message().text(1, Message().text(2, Message().text(2, profile).bytes).bytes).bytes;
        const auto decoded = decode(message);
        QVERIFY(!decoded);
        QVERIFY(decoded.error().message.find("dictionary") != std::string::npos);
    }
    void anEmptyRequestIsNoError() { QCOMPARE(decode(std::string()).value().accepted, std::uint64_t(0)); }
    void otherSignalsAreNoProfiles()
    {
        const std::string span =
            Message().text(1, std::string(16, 'x')).text(2, "12345678").fixed(7, 1).fixed(8, 2).bytes;
        QVERIFY(!decode(Message().text(1, Message().text(2, Message().text(2, span).bytes).bytes).bytes));
    }
    void cutAndFlippedMessagesOfEveryGenerationDoNoHarm()
    {
        std::mt19937 random(1);
        const QDir folder(QStringLiteral(HEARTH_TEST_DATA "/otlp"));
        for (const QString &file : folder.entryList({QStringLiteral("v*.pb")})) {
            const std::vector<std::uint8_t> whole = fileBytes(file);
            for (std::size_t size = 0; size < whole.size(); ++size)
                if (auto decoded = decode(Bytes(whole).first(size)))
                    stored(std::move(decoded->batch));
            for (int i = 0; i < 500; ++i) {
                std::vector<std::uint8_t> flipped = whole;
                flipped[random() % flipped.size()] ^= static_cast<std::uint8_t>(1U << (random() % 8));
                if (auto decoded = decode(flipped))
                    stored(std::move(decoded->batch));
            }
        }
    }

private:
    /// The one profile that all vectors hold.
    static QByteArray goldenDump()
    {
        return "main@main.c:10:0/0[a.out deadbeef 4194304-5242880+0 0]+4096;"
               "foo@main.c:11:0/0[a.out deadbeef 4194304-5242880+0 0]+8192 "
               "samples/count=3 |service.name=demo |otel.scope.name=vec |thread.name=worker\n";
    }
};

QTEST_GUILESS_MAIN(TestOtlp)
#include "tst_otlp.moc"
