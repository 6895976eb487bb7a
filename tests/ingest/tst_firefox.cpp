#include "ingest/formats/firefox_writer.h"
#include "tests/support/files.h"
#include "tests/support/profile_text.h"
#include "tests/support/records_text.h"

#include <QTest>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

constexpr const char *kMeta =
    R"("meta":{"interval":1,"startTime":1000,"preprocessedProfileVersion":48,"product":"by hand",)"
    R"("categories":[{"name":"Other"},{"name":"Layout"}],"sampleUnits":{"threadCPUDelta":"ns"}})";
constexpr const char *kLibs =
    R"("libs":[{"name":"libxul.so","path":"/usr/lib/libxul.so","breakpadId":"AB0","codeId":"ab12"}])";
/// main (a program) calls f (JavaScript) calls an address without a name.
constexpr const char *kTables =
    R"("stackTable":{"frame":[0,1,2],"prefix":[null,0,1],"category":[0,1,1],"length":3},)"
    R"("frameTable":{"address":[16,-1,64],"line":[null,7,null],"column":[null,3,null],"func":[0,1,2],"length":3},)"
    R"("funcTable":{"name":[0,1,2],"isJS":[false,true,false],"resource":[0,-1,0],"fileName":[null,3,null]},)"
    R"("resourceTable":{"lib":[0],"name":[4],"type":[1]})";
constexpr const char *kStrings = R"("stringArray":["main","f","0x40","a.js","libxul.so","paint","click"])";
constexpr const char *kSamples =
    R"("samples":{"stack":[0,2,null,1],"time":[0,1,2,3.5],"weight":null,"weightType":"samples",)"
    R"("threadCPUDelta":[10,20,0,40],"length":4})";
constexpr const char *kMarkers =
    R"("markers":{"name":[5,6,5,5],"startTime":[1,2,3,null],"endTime":[4,null,null,9],"phase":[1,0,2,3],)"
    R"("category":[1,0,0,0],"data":[{"type":"P","size":3,"list":[1]},null,null,null]})";

std::string threadWith(const std::string &more)
{
    return R"({"name":"GeckoMain","processName":"web","pid":"12","tid":13,)" + more + "}";
}

std::string processed()
{
    return std::string("{") + kMeta + ',' + kLibs + R"(,"threads":[)" +
           threadWith(std::string(kSamples) + ',' + kMarkers + ',' + kTables + ',' + kStrings) +
           R"(],"counters":[{"name":"malloc","category":"Memory","pid":"12","samples":{"timeDeltas":[1,2],"count":[5,-3]}}]})";
}

std::string shared()
{
    return std::string("{") + kMeta + ',' + kLibs + R"(,"threads":[)" +
           threadWith(std::string(kSamples) + ',' + kMarkers) + R"(],"shared":{)" + kTables + ',' + kStrings +
           "}}";
}

std::string gecko()
{
    const std::string tables =
        R"("stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1],[1,2]]},)"
        R"("frameTable":{"schema":{"location":0,"relevantForJS":1,"line":2,"column":3},"data":[[0],[1,true,7,3],[2]]},)"
        R"g("stringTable":["main (in libxul.so)","f (a.js:7:3)","0x1040","","","paint","click"])g";
    return R"({"meta":{"version":36,"interval":1,"startTime":1000},"threads":[],"libs":[],"processes":[{"meta":{},)"
           R"("libs":[{"start":4096,"end":8192,"offset":256,"name":"libxul.so","path":"/usr/lib/libxul.so"}],"threads":[)" +
           threadWith(
               R"("samples":{"schema":{"stack":0,"time":1},"data":[[0,0.5],[2,1.5],[1,2]]},)"
               R"("markers":{"schema":{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,"data":5},)"
               R"("data":[[5,1,4,1,0,{"type":"P"}],[6,2,null,0,0]]},)" +
               tables) +
           "]}]}";
}

} // namespace

class TestFirefox : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void threadsHaveTablesOfTheirOwn()
    {
        const auto snapshot = test::openFile(processed());
        COMPARE_TEXT(test::tree(snapshot, "series:samples"), "main 3 1\n  f 2 1\n    [libxul.so] 1 1\n");
        COMPARE_TEXT(test::top(snapshot, "series:cpu"), "f 40 60\n[libxul.so] 20 20\nmain 10 70\n");
        COMPARE_TEXT(snapshot->origins[0].generation, "48");
    }
    void threadsMayShareTheirTables()
    {
        COMPARE_TEXT(test::tree(test::openFile(shared()), "series:samples"),
                     "main 3 1\n  f 2 1\n    [libxul.so] 1 1\n");
    }
    void callersMayBeSoFarBeforeAStackAndFramesNameTheirLibs()
    {
        std::string profile = shared();
        const auto replace = [&profile](std::string_view what, std::string_view with) {
            profile.replace(profile.find(what), what.size(), with);
        };
        replace(R"("prefix":[null,0,1])", R"("prefixOffset":[0,1,1])");      // version 66
        replace(R"("func":[0,1,2],)", R"("func":[0,1,2],"lib":[-1,-1,0],)"); // version 70
        const auto snapshot = test::openFile(profile);
        COMPARE_TEXT(test::tree(snapshot, "series:samples"), "main 3 1\n  f 2 1\n    [libxul.so] 1 1\n");
        COMPARE_TEXT(test::top(snapshot, "series:samples by:binary"), "<unknown> 2 3\nlibxul.so 1 1\n");
    }
    void prefixesThatLeadOutOfTheTableLeadNowhere()
    {
        std::string profile = shared();
        const std::string_view prefix = R"("prefix":[null,0,1])";
        profile.replace(profile.find(prefix), prefix.size(), R"("prefixOffset":[7,-1,1])");
        COMPARE_TEXT(test::tree(test::openFile(profile), "series:samples"),
                     "f 2 1\n  [libxul.so] 1 1\nmain 1 1\n");
    }
    void theBrowserWritesRows()
    {
        const auto snapshot = test::openFile(gecko());
        COMPARE_TEXT(test::tree(snapshot), "main 3 1\n  f 2 1\n    [libxul.so] 1 1\n");
        COMPARE_TEXT(test::top(snapshot, "by:file f"), "[libxul.so] 1 2\na.js 1 2\n");
        QCOMPARE(snapshot->spans.rows, std::uint64_t(1));
        QCOMPARE(snapshot->logs.rows, std::uint64_t(1));
        COMPARE_TEXT(snapshot->origins[0].generation, "gecko 36");
    }
    void processesThreadsAndCategoriesAreAttributes()
    {
        const auto snapshot = test::openFile(processed());
        COMPARE_TEXT(
            test::top(snapshot,
                      "series:samples @category=Layout @thread=GeckoMain @process=web @process.pid=12"),
            "f 1 2\n[libxul.so] 1 1\nmain 0 2\n");
        COMPARE_TEXT(test::top(snapshot, "series:samples @category=Other @thread.id=13"), "main 1 1\n");
    }
    void binariesHaveTheirIds()
    {
        const auto snapshot = test::openFile(processed());
        QCOMPARE(snapshot->text(snapshot->binaries[0].path), std::string_view("/usr/lib/libxul.so"));
        QCOMPARE(snapshot->text(snapshot->binaries[0].buildId), std::string_view("ab12"));
    }
    void timesCountFromTheStartOfTheProfile()
    {
        const auto snapshot = test::openFile(processed());
        QCOMPARE(snapshot->tables[0].chunks[0]->earliest(), std::int64_t(1'000'000'000));
        QCOMPARE(snapshot->tables[0].chunks[0]->latest(), std::int64_t(1'003'500'000));
        QCOMPARE(snapshot->tables[0].period, std::int64_t(1'000'000));
    }
    void markersAreSpansAndLogRecords()
    {
        const auto snapshot = test::openFile(processed());
        QCOMPARE(snapshot->spans.rows, std::uint64_t(2));
        const SpanChunk &spans = *snapshot->spans.chunks[0];
        QCOMPARE(snapshot->text(spans.rows[0].name), std::string_view("paint"));
        QCOMPARE(spans.rows[0].startNs, std::uint64_t(1'001'000'000));
        QCOMPARE(spans.rows[1].endNs, std::uint64_t(1'009'000'000));
        QCOMPARE(snapshot->text(snapshot->logs.chunks[0]->rows[0].eventName), std::string_view("click"));
        QCOMPARE(snapshot->losses.count(Loss::UnknownFields), std::uint64_t(1)); // a list in a marker's data
        QVERIFY(test::dumpRecords(*snapshot).find("size") != std::string::npos);
    }
    void countersAreMetricsOfChanges()
    {
        const auto snapshot = test::openFile(processed());
        QCOMPARE(snapshot->text(snapshot->metrics[0].name), std::string_view("Memory.malloc"));
        QCOMPARE(snapshot->points.chunks[0]->rows[1].timeNs, std::uint64_t(1'003'000'000));
        QCOMPARE(snapshot->points.chunks[0]->rows[1].value.real(), -3.0);
    }
    void allocationsAreSeriesOfBytes()
    {
        const auto snapshot = test::openFile(
            std::string("{") + kMeta + ',' + kLibs + R"(,"threads":[)" +
            threadWith(
                std::string(
                    R"("nativeAllocations":{"time":[1,2],"weight":[64,-16],"weightType":"bytes","stack":[1,0]},)") +
                kTables + ',' + kStrings) +
            "]}");
        COMPARE_TEXT(test::top(snapshot), "f 64 64\nmain -16 48\n");
    }
    void whatIsWrittenReadsBackTheSame()
    {
        const auto before =
            test::snapshotOf("series: cpu/nanoseconds alloc/bytes\n"
                             "main@a.c;f;g>inl[lib.so] 3000000,30 | thread=a process=p @1000000\n"
                             "main@a.c;f 2000000,20 | thread=b process=p @3000000\n"
                             "main@a.c;[lib.so] 1000000,10 | thread=b process=p @2000000\n");
        const auto time = test::openFile(firefoxText(*before, SeriesId(0)));
        COMPARE_TEXT(test::tree(time), test::tree(before, "series:cpu").c_str());
        COMPARE_TEXT(test::top(time, "@thread=b @process=p"),
                     "f 2000000 2000000\n[lib.so] 1000000 1000000\nmain 0 3000000\n");
        COMPARE_TEXT(test::top(time, "by:file"), test::top(before, "series:cpu by:file").c_str());
        QCOMPARE(time->tables[0].chunks[0]->earliest(), std::int64_t(1'000'000));
        const auto bytes = test::openFile(firefoxText(*before, SeriesId(1)));
        COMPARE_TEXT(test::tree(bytes), test::tree(before, "series:alloc").c_str());
        QVERIFY(!bytes->losses.any());
    }
    void stacksInACircleAreCutOpen()
    {
        std::string text = processed();
        text.replace(text.find("[null,0,1]"), 10, "[2,0,1]");
        const auto snapshot = test::openFile(text);
        QCOMPARE(snapshot->losses.count(Loss::UnknownReferences), std::uint64_t(1));
        QCOMPARE(snapshot->sampleCount(), std::uint64_t(3));
    }
    void whatIsCutOffOrDamagedLeavesTheRest()
    {
        QVERIFY(test::readDamaged(kFirefox, processed()) > 0);
        QVERIFY(test::readDamaged(kFirefox, shared()) > 0);
        QVERIFY(test::readDamaged(kFirefox, gecko()) > 0);
    }
};

QTEST_GUILESS_MAIN(TestFirefox)
#include "tst_firefox.moc"
