#include "tests/support/files.h"
#include "tests/support/profile_text.h"
#include "tests/support/records_text.h"

#include <QTest>

#include <cstdlib>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

/// Events of thread 2 of process 1, as a trace.
std::string trace(const std::string &events)
{
    return R"({"traceEvents":[)" + events + "]}";
}

std::string traceEvent(const std::string &phase, const std::string &name, int ts,
                       const std::string &more = {})
{
    return R"({"args":{},"pid":1,"tid":2,"ts":)" + std::to_string(ts) + R"(,"ph":")" + phase +
           R"(","name":")" + name + "\"" + more + "}";
}

constexpr const char *kNames = R"({"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"worker"}},)"
                               R"({"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"prog"}})";

std::string profile()
{
    return R"({"ph":"P","id":"0x1","pid":1,"tid":2,"ts":100,"name":"Profile","args":{"data":{"startTime":100}}},)"
           R"({"ph":"P","id":"0x1","pid":1,"tid":7,"ts":300,"name":"ProfileChunk","args":{"data":{"cpuProfile":)"
           R"r({"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},)r"
           R"({"id":2,"parent":1,"callFrame":{"functionName":"f","url":"a.js","lineNumber":1}}],"samples":[2,2]},)"
           R"("timeDeltas":[10,20],"lines":[3,4]}}},)"
           R"({"ph":"P","id":"0x1","pid":1,"tid":7,"ts":400,"name":"ProfileChunk","args":{"data":{"cpuProfile":)"
           R"({"nodes":[{"id":3,"parent":2,"callFrame":{"functionName":"g"}}],"samples":[3]},"timeDeltas":[30],)"
           R"("endTime":200}}})";
}

} // namespace

class TestChromeTrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nestedSlicesWeighTheTimeTheyLeave()
    {
        const auto snapshot = test::openFile(trace(
            traceEvent("X", "outer", 10, R"(,"dur":100)") + ',' +
            traceEvent("X", "inner", 20, R"(,"dur":30)") + ',' + traceEvent("B", "later", 200) + ',' +
            traceEvent("B", "deep", 210) + ',' + traceEvent("E", "", 215) + ',' + traceEvent("E", "", 230)));
        COMPARE_TEXT(test::tree(snapshot, "series:slices"),
                     "outer 100000 70000\n  inner 30000 30000\nlater 30000 25000\n  deep 5000 5000\n");
        QCOMPARE(snapshot->spans.rows, std::uint64_t(4));
        QVERIFY(!snapshot->losses.any());
    }
    void numbersAreWhatTheirDigitsSay()
    {
        std::vector<std::string> texts{"0",    "-0.25",        "1e3",        "123456789012345",
                                       "0.1",  "-12345678.9",  "1.5e-7",     "1234567890123456789",
                                       "7",    "99999999",     "100000000",  "3.141592653589793",
                                       "12.0", "0.0000001234", "87654321.5", "9007199254740993.25"};
        for (int i = 0; i < 2000; ++i) // of every length before and behind the point
            texts.push_back(std::to_string(i * 7919LL % 1000003).substr(0, 1 + i % 7) +
                            std::string(i % 9, '4') + '.' + std::to_string(i * 104729LL));
        std::string events;
        for (const std::string &text : texts)
            events += R"({"ph":"C","pid":1,"ts":1,"name":"c","args":{"v":)" + text + "}},";
        const auto batch = test::readFile("[" + events + std::string(64, ' '));
        QVERIFY2(batch, batch ? "" : batch.error().message.c_str());
        QCOMPARE(batch->points.rows.size(), texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i)
            QVERIFY2(batch->points.rows[i].value.real() == std::strtod(texts[i].c_str(), nullptr),
                     texts[i].c_str());
    }
    void textsAreFoundToTheirEndsWhereverTheseAre()
    {
        std::string events;
        for (std::size_t length = 0; length < 40; ++length)
            events += traceEvent("X", std::string(length, 'x') + R"(\"\\)", static_cast<int>(length) * 10,
                                 R"(,"dur":1)") +
                      ',';
        const auto batch = test::readFile(trace(events));
        QVERIFY(batch);
        QCOMPARE(batch->spans.rows.size(), std::size_t(40));
        for (std::size_t length = 0; length < 40; ++length)
            COMPARE_TEXT(std::string(batch->strings[batch->spans.rows[length].name.value]),
                         QByteArray(static_cast<int>(length), 'x') + "\"\\");
    }
    void ofSlicesOfEqualTimesThoseThatBeganFirstEncloseTheOthers()
    {
        const auto snapshot =
            test::openFile(trace(traceEvent("B", "outer", 10) + ',' + traceEvent("B", "inner", 10) + ',' +
                                 traceEvent("E", "", 30) + ',' + traceEvent("E", "", 30)));
        COMPARE_TEXT(test::tree(snapshot), "outer 20000 0\n  inner 20000 20000\n");
    }
    void slicesAreSpansWithTheirParents()
    {
        const auto snapshot = test::openFile(trace(traceEvent("X", "inner", 20, R"(,"dur":30,"cat":"c")") +
                                                   ',' + traceEvent("X", "outer", 10, R"(,"dur":100)")));
        const SpanChunk &spans = *snapshot->spans.chunks[0];
        QCOMPARE(snapshot->text(spans.rows[0].name), std::string_view("outer"));
        QCOMPARE(spans.rows[1].parent, spans.rows[0].id);
        QCOMPARE(spans.rows[1].startNs, std::uint64_t(20'000));
        QCOMPARE(spans.rows[1].endNs, std::uint64_t(50'000));
    }
    void namesOfThreadsMayComeLast()
    {
        const auto snapshot = test::openFile(trace(traceEvent("X", "f", 1, R"(,"dur":2)") + ',' + kNames));
        COMPARE_TEXT(test::top(snapshot, "@thread=worker @process=prog @thread.id=2"), "f 2000 2000\n");
    }
    void samplesOfV8BelongToTheThreadThatWasProfiled()
    {
        const auto snapshot = test::openFile(trace(profile() + ',' + kNames));
        COMPARE_TEXT(test::tree(snapshot, "series:time @thread=worker"), "f 90000 50000\n  g 40000 40000\n");
        COMPARE_TEXT(test::top(snapshot, "series:samples"), "f 2 3\ng 1 1\n");
    }
    void slicesByIdAreSpansButNoSamples()
    {
        const auto snapshot =
            test::openFile(trace(traceEvent("b", "load", 5, R"(,"id":"0x7","cat":"net")") + ',' +
                                 traceEvent("b", "parse", 6, R"(,"id":"0x7","cat":"net")") + ',' +
                                 traceEvent("e", "load", 9, R"(,"id":"0x7","cat":"net")") + ',' +
                                 traceEvent("e", "parse", 8, R"(,"id":"0x7","cat":"net")")));
        QCOMPARE(snapshot->spans.rows, std::uint64_t(2));
        QCOMPARE(snapshot->sampleCount(), std::uint64_t(0));
        const SpanChunk &spans = *snapshot->spans.chunks[0];
        QCOMPARE(spans.rows[1].parent, spans.rows[0].id);
    }
    void countersAreMetricsAndInstantsAreLogRecords()
    {
        const auto snapshot = test::openFile(
            trace(R"({"ph":"C","pid":1,"tid":2,"ts":3,"name":"heap","args":{"used":12,"free":0.5}},)" +
                  traceEvent("i", "mark", 4, R"(,"s":"t")") + ',' + kNames));
        QCOMPARE(snapshot->points.rows, std::uint64_t(2));
        QCOMPARE(snapshot->text(snapshot->metrics[0].name), std::string_view("heap.used"));
        QCOMPARE(snapshot->points.chunks[0]->rows[1].value.real(), 0.5);
        QCOMPARE(snapshot->logs.chunks[0]->rows[0].timeNs, std::uint64_t(4000));
        QVERIFY(test::dumpRecords(*snapshot).find("worker") != std::string::npos);
    }
    void anArrayNeedNotEnd()
    {
        const auto snapshot = test::openFile("[\n" + traceEvent("X", "f", 1, R"(,"dur":2)") + ",\n" +
                                             traceEvent("X", "g", 9, R"(,"dur":2)") + ",\n");
        COMPARE_TEXT(test::top(snapshot), "f 2000 2000\ng 2000 2000\n");
        QVERIFY(!snapshot->losses.any());
    }
    void anEventCutOffIsALoss()
    {
        const auto snapshot = test::openFile("[\n" + traceEvent("X", "f", 1, R"(,"dur":2)") + ",\n" +
                                             traceEvent("X", "g", 9).substr(0, 30));
        COMPARE_TEXT(test::top(snapshot), "f 2000 2000\n");
        QCOMPARE(snapshot->losses.count(Loss::TruncatedInput), std::uint64_t(1));
    }
    void endsWithoutBeginningsAndBeginningsWithoutEndsAreCounted()
    {
        const auto snapshot = test::openFile(trace(traceEvent("E", "", 1) + ',' + traceEvent("B", "f", 2) +
                                                   ',' + traceEvent("X", "g", 5, R"(,"dur":3)")));
        QCOMPARE(snapshot->losses.count(Loss::MalformedRecords), std::uint64_t(1));
        QCOMPARE(snapshot->losses.count(Loss::TruncatedInput), std::uint64_t(1));
        COMPARE_TEXT(test::tree(snapshot), "f 6000 3000\n  g 3000 3000\n");
    }
    void timesThatCannotBeAreZero()
    {
        const auto snapshot = test::openFile(trace(traceEvent("X", "f", -5, R"(,"dur":1e300)") + ',' +
                                                   R"({"ph":"X","name":"lost","pid":1,"tid":1})"));
        QCOMPARE(snapshot->losses.count(Loss::MalformedRecords), std::uint64_t(1));
        QCOMPARE(snapshot->spans.rows, std::uint64_t(1));
    }
    void whatIsCutOffOrDamagedLeavesTheRest()
    {
        const std::string whole =
            trace(traceEvent("X", "f", 1, R"(,"dur":2)") + ',' + profile() + ',' + kNames);
        QVERIFY(test::readDamaged(kChromeTrace, whole) > whole.size() / 2);
    }
};

QTEST_GUILESS_MAIN(TestChromeTrace)
#include "tst_chrome_trace.moc"
