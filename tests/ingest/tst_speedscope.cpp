#include "ingest/formats/speedscope_writer.h"
#include "tests/support/files.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <rapidcheck.h>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

std::string file(const std::string &profiles)
{
    return R"({"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[)" + profiles +
           R"(],"shared":{"frames":[{"name":"main"},{"name":"f","file":"f.c","line":3,"col":7},{"name":"g \u00e4"}]},)"
           R"("exporter":"by hand"})";
}

constexpr const char *kSampled =
    R"({"type":"sampled","name":"one","unit":"milliseconds","startValue":5,"endValue":9,)"
    R"("samples":[[0,1],[0,1,2],[0]],"weights":[1,2.5,0.5]})";
constexpr const char *kEvented =
    R"({"type":"evented","name":"two","unit":"none","startValue":0,"endValue":10,"events":[)"
    R"({"type":"O","frame":0,"at":0},{"type":"O","frame":2,"at":3},{"type":"C","frame":2,"at":7},)"
    R"({"type":"C","frame":0,"at":10}]})";

} // namespace

class TestSpeedscope : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sampledProfilesAreSamplesInTime()
    {
        const auto snapshot = test::openFile(file(kSampled));
        COMPARE_TEXT(test::tree(snapshot),
                     "main 4000000 500000\n  f 3500000 1000000\n    g \xc3\xa4 2500000 2500000\n");
        QCOMPARE(snapshot->tables[0].chunks[0]->earliest(), std::int64_t(5'000'000));
        QCOMPARE(snapshot->tables[0].chunks[0]->latest(), std::int64_t(8'500'000));
        QVERIFY(!snapshot->losses.any());
    }
    void eventsEncloseWhatTheyWeigh()
    {
        COMPARE_TEXT(test::tree(test::openFile(file(kEvented))), "main 10 6\n  g \xc3\xa4 4 4\n");
    }
    void allProfilesAreReadAndAreThreads()
    {
        const auto snapshot = test::openFile(file(std::string(kSampled) + ',' + kEvented));
        QCOMPARE(snapshot->series.size(), std::size_t(2));
        COMPARE_TEXT(test::top(snapshot, "series:samples @thread=two"), "main 6 10\ng \xc3\xa4 4 4\n");
        COMPARE_TEXT(test::top(snapshot, "series:samples @thread=one"), "");
        COMPARE_TEXT(snapshot->origins[0].comments.front(), "by hand");
    }
    void linesAndFilesAreKept()
    {
        COMPARE_TEXT(test::top(test::openFile(file(kSampled)), "by:file f"),
                     "<unknown> 2500000 3500000\nf.c 1000000 3500000\n");
    }
    void framesThatDoNotExistAreCounted()
    {
        const auto snapshot = test::openFile(
            file(R"({"type":"sampled","name":"x","unit":"none","samples":[[0,99],[-1]],"weights":[1,1]})"));
        QCOMPARE(snapshot->losses.count(Loss::FramesWithoutLocation), std::uint64_t(2));
        COMPARE_TEXT(test::top(snapshot), "<unknown> 2 2\nmain 0 1\n");
    }
    void samplesWithoutWeightsAreCounted()
    {
        const auto batch = test::readFile(
            file(R"({"type":"sampled","name":"x","unit":"none","samples":[[0],[1]],"weights":[1]})"));
        QCOMPARE(batch->losses.count(Loss::SamplesWithWrongValueCount), std::uint64_t(1));
    }
    void aFileCutOffKeepsWhatCameBefore()
    {
        std::string whole = file(std::string(kSampled) + ',' + kEvented);
        const auto shared = whole.find(R"({"type":"C","frame":0)");
        const auto batch = test::readFile(whole.substr(0, shared));
        QCOMPARE(batch->losses.count(Loss::TruncatedInput), std::uint64_t(1));
        QCOMPARE(batch->blocks.size(), std::size_t(2));
        QVERIFY(test::readDamaged(kSpeedscope, whole) > whole.size() / 2);
    }
    void manySamplesComeInBlocksOfTheInput()
    {
        std::string samples = "[0,1]";
        std::string weights = "1";
        for (int i = 1; i < 300'000; ++i) {
            samples += i % 3 == 0 ? ",[0,1,2]" : ", [0 , 1]";
            weights += ",1";
        }
        const auto snapshot =
            test::openFile(file(R"({"type":"sampled","name":"\ud83d\ude00","unit":"bytes","samples":[)" +
                                samples + "],\"weights\":[" + weights + "]}"));
        COMPARE_TEXT(test::tree(snapshot), "main 300000 0\n  f 300000 200001\n    g \xc3\xa4 99999 99999\n");
        COMPARE_TEXT(test::top(snapshot, "@thread=\xf0\x9f\x98\x80 g"),
                     "g \xc3\xa4 99999 99999\nf 0 99999\nmain 0 99999\n");
    }
    void whatIsWrittenReadsBackTheSame()
    {
        const auto before = test::snapshotOf("series: cpu/nanoseconds samples/count\n"
                                             "main;f;g>inl 30,3 | thread=a\n"
                                             "main;f 20,2 | thread=b\n"
                                             "main;[libc.so] 10,1\n");
        const auto after = test::openFile(speedscopeText(*before));
        COMPARE_TEXT(test::tree(after, "series:time"), test::tree(before, "series:cpu").c_str());
        COMPARE_TEXT(test::tree(after, "series:samples"), test::tree(before, "series:samples").c_str());
        COMPARE_TEXT(test::top(after, "series:samples @thread=\"b samples\""), "f 2 2\nmain 0 2\n");
    }
    void valuesSurviveWritingWhateverTheyAre()
    {
        const bool holds = rc::check("write, read", [] {
            const auto counts = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(
                rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000)));
            std::string text;
            for (std::size_t i = 0; i < counts.size(); ++i)
                text += "main;f" + std::to_string(i % 7) + ' ' + std::to_string(counts[i]) + '\n';
            const auto before = test::snapshotOf(text);
            RC_ASSERT(test::tree(test::openFile(speedscopeText(*before))) == test::tree(before));
        });
        QVERIFY(holds);
    }
};

QTEST_GUILESS_MAIN(TestSpeedscope)
#include "tst_speedscope.moc"
