#include "tests/support/files.h"
#include "tests/support/profile_text.h"
#include "tests/support/records_text.h"

#include <QFile>
#include <QTest>

#include <algorithm>

using namespace hearth;

namespace {

std::string corpus(const QString &path, int times = 1)
{
    QFile file(QStringLiteral(HEARTH_TEST_DATA "/corpus/") + path);
    const std::string bytes = file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    std::string all;
    for (int i = 0; i < times; ++i)
        all += bytes;
    return all;
}

/// Larger than what a reader has of its input at a time.
std::string largeTrace()
{
    const std::string padding(1000, ' ');
    std::string text = "[";
    for (int i = 0; text.size() < (std::size_t(3) << 20); ++i) {
        const std::string time = std::to_string(i);
        text += R"({"name":"task)" + std::to_string(i % 100) + R"(","ph":"X","pid":1,"tid":)" +
                std::to_string(i % 3) + R"(,"ts":)" + time + R"(,"dur":7,"args":{"n":)" +
                std::to_string(i % 7) + "}}," + padding;
        text += R"({"name":"note","ph":"i","pid":1,"tid":2,"ts":)" + time + "}," + padding;
        if (i % 50 == 0)
            text += R"({"name":"open","ph":"B","pid":1,"tid":9,"ts":)" + time + "}," + padding;
    }
    return text + R"({"name":"process_name","ph":"M","pid":1,"args":{"name":"late"}}])";
}

std::string textOf(const Snapshot &snapshot)
{
    std::string text = test::dump(snapshot) + test::dumpRecords(snapshot);
    for (const Origin &origin : snapshot.origins)
        text += origin.name + ' ' + origin.format + ' ' + origin.defaultSeries + '\n';
    for (const std::string &detail : snapshot.losses.details())
        text += detail + '\n';
    return text;
}

/// What comes of a file that somebody looks at all the time.
struct Reading {
    std::size_t parts = 0;
    std::vector<std::uint64_t> previews; ///< how much was in each
    std::shared_ptr<const Snapshot> result;
};

std::uint64_t sizeOf(const Snapshot &snapshot)
{
    return snapshot.sampleCount() + snapshot.spans.rows + snapshot.logs.rows + snapshot.points.rows;
}

Reading readWatched(const std::string &bytes, std::size_t partBytes, const std::stop_token &stop = {})
{
    Reading reading;
    Store store;
    ReadOptions options;
    options.partBytes = partBytes;
    options.isLookDue = [] { return true; };
    options.takePart = [&](Batch part) {
        ++reading.parts;
        store.append(std::move(part));
        return ~std::size_t(0);
    };
    options.preview = [&](Batch soFar) {
        Store preview;
        preview.append(std::move(soFar));
        reading.previews.push_back(sizeOf(*preview.publish()));
    };
    options.stop = stop;
    options.keepsCancelled = true;
    Result<Batch> rest = test::readFile(bytes, options);
    if (rest) {
        store.append(std::move(*rest));
        reading.result = store.publish();
    }
    return reading;
}

} // namespace

class TestParts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatCameInPartsIsWhatComesAtOnce_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("isPreviewed");
        const auto row = [](const char *name, const std::string &bytes, bool isPreviewed) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << isPreviewed;
        };
        row("perf script", corpus(QStringLiteral("fuzz_perf_script/two-events.txt"), 3), false);
        row("bpftrace", corpus(QStringLiteral("fuzz_stack_text/bpftrace.txt"), 3), false);
        row("DTrace", corpus(QStringLiteral("fuzz_stack_text/dtrace.txt"), 3), false);
        row("JFR", corpus(QStringLiteral("fuzz_jfr/chunk.jfr"), 3), false);
        row("OTLP",
            corpus(QStringLiteral("fuzz_otlp_json/v1.11.0-protoc.otlp.json")) + "\n" +
                corpus(QStringLiteral("fuzz_otlp_json/traces.otlp.json")),
            false);
        row("perf.data", corpus(QStringLiteral("fuzz_perf_data/file-little.data")), true);
        row("perf.data of a pipe", corpus(QStringLiteral("fuzz_perf_data/pipe-big.data")), true);
        row("Chrome trace", largeTrace(), true);
    }
    void whatCameInPartsIsWhatComesAtOnce()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const bool, isPreviewed);
        const std::string file = bytes.toStdString();
        const auto whole = test::openFile(file);
        for (const std::size_t partBytes : {std::size_t(1), std::size_t(200)}) {
            const Reading reading = readWatched(file, partBytes);
            QVERIFY(reading.result != nullptr);
            QCOMPARE(QByteArray::fromStdString(textOf(*reading.result)),
                     QByteArray::fromStdString(textOf(*whole)));
            QCOMPARE(reading.parts > 1, !isPreviewed);
        }
    }
    void previewsGrow()
    {
        const Reading reading = readWatched(largeTrace(), 1);
        QVERIFY(reading.previews.size() > 1);
        QVERIFY(std::ranges::is_sorted(reading.previews));
        QVERIFY(reading.previews.back() <= sizeOf(*reading.result));
    }
    void whatWasReadBeforeItWasCancelledCanBeKept()
    {
        std::stop_source stop;
        stop.request_stop();
        const std::string text = corpus(QStringLiteral("fuzz_perf_script/two-events.txt"), 3);
        const Reading reading = readWatched(text, 1, stop.get_token());
        QVERIFY(reading.result != nullptr);
        QCOMPARE(reading.result->losses.count(Loss::CancelledReading), std::uint64_t(1));
        QVERIFY(reading.result->sampleCount() < test::openFile(text)->sampleCount());
    }
};

QTEST_GUILESS_MAIN(TestParts)
#include "tst_parts.moc"
