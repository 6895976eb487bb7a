#include "tests/support/files.h"
#include "tests/support/profile_text.h"

#include <QTest>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

std::string callFrame(const std::string &name, const std::string &url, int line)
{
    return R"("callFrame":{"functionName":")" + name + R"(","scriptId":"1","url":")" + url +
           R"(","lineNumber":)" + std::to_string(line) + R"(,"columnNumber":0})";
}

/// main calls f, f calls the collector; 1 ms, 2 ms and, until the end, 4 ms.
std::string cpuProfile()
{
    return R"({"nodes":[{"id":1,)" + callFrame("(root)", "", -1) +
           R"(,"hitCount":0,"children":[2]},{"id":2,)" + callFrame("", "file:///a.js", 4) +
           R"(,"hitCount":1,"children":[3]},{"id":3,)" + callFrame("f", "file:///a.js", 9) +
           R"(,"hitCount":1,"children":[4]},{"id":4,)" + callFrame("(garbage collector)", "", -1) +
           R"(,"hitCount":1}],"startTime":1000,"endTime":8000,"samples":[2,3,4],"timeDeltas":[0,1000,2000]})";
}

constexpr const char *kOldCpuProfile =
    R"r({"head":{"functionName":"(root)","url":"","lineNumber":0,"id":1,"hitCount":0,"children":[)r"
    R"({"functionName":"main","url":"a.js","lineNumber":5,"hitCount":2,"children":[)"
    R"({"functionName":"f","url":"a.js","lineNumber":7,"id":3,"hitCount":1,"children":[]}],"id":2}]},)"
    R"("startTime":1.0,"endTime":1.5,"samples":[2,3,2],"timestamps":[1000000,1000002,1000003]})";

std::string heapProfile()
{
    return R"({"head":{)" + callFrame("(root)", "", -1) + R"(,"selfSize":0,"id":1,"children":[{)" +
           callFrame("main", "a.js", 0) + R"(,"selfSize":100,"id":2,"children":[{"selfSize":28,)" +
           callFrame("alloc", "a.js", 3) + R"(,"id":3,"children":[]}]}]},"samples":[{"size":1,"nodeId":2}]})";
}

} // namespace

class TestV8 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samplesLastUntilTheNextOne()
    {
        const auto snapshot = test::openFile(cpuProfile());
        COMPARE_TEXT(
            test::tree(snapshot, "series:time"),
            "(anonymous) 7000000 1000000\n  f 6000000 2000000\n    (garbage collector) 4000000 4000000\n");
        COMPARE_TEXT(test::top(snapshot, "series:samples"),
                     "(anonymous) 1 3\nf 1 2\n(garbage collector) 1 1\n");
        QVERIFY(!snapshot->losses.any());
    }
    void functionsKnowTheirFilesAndFirstLines()
    {
        const auto snapshot = test::openFile(cpuProfile());
        COMPARE_TEXT(test::top(snapshot, "series:samples file:a.js by:file"),
                     "file:///a.js 2 3\n<unknown> 1 1\n");
        COMPARE_TEXT(test::top(snapshot, "series:samples type:v8js f"),
                     "f 1 2\n(garbage collector) 1 1\n(anonymous) 0 2\n");
        QCOMPARE(snapshot->functions[1].startLine, std::int64_t(10));
    }
    void oldVersionsNestTheirNodes()
    {
        COMPARE_TEXT(test::tree(test::openFile(kOldCpuProfile), "series:samples"), "main 3 2\n  f 1 1\n");
    }
    void nodesThatAllocatedWeighWhatTheyAllocated()
    {
        COMPARE_TEXT(test::tree(test::openFile(heapProfile())), "main 128 100\n  alloc 28 28\n");
    }
    void withoutSamplesHitsCount()
    {
        std::string text = cpuProfile();
        text = text.substr(0, text.find(",\"samples\"")) + '}';
        COMPARE_TEXT(test::top(test::openFile(text)), "(anonymous) 1 3\nf 1 2\n(garbage collector) 1 1\n");
    }
    void nodesThatCallEachOtherInACircleAreCutOpen()
    {
        const auto snapshot = test::openFile(R"({"nodes":[{"id":1,)" + callFrame("a", "", 0) +
                                             R"(,"children":[2]},{"id":2,)" + callFrame("b", "", 0) +
                                             R"(,"children":[1]}],"samples":[1,2,9],"timeDeltas":[1,1,1]})");
        QCOMPARE(snapshot->losses.count(Loss::UnknownReferences), std::uint64_t(2));
        QCOMPARE(snapshot->sampleCount(), std::uint64_t(3));
    }
    void clocksThatGoBackGiveNoTime()
    {
        std::string text = cpuProfile();
        text.replace(text.find("[0,1000,2000]"), 13, "[0,5000,-99]");
        COMPARE_TEXT(test::top(test::openFile(text), "series:time"),
                     "(anonymous) 5000000 7099000\n(garbage collector) 2099000 2099000\nf 0 2099000\n");
    }
    void nodesNestedWithoutEndAreCounted()
    {
        std::string text = R"({"head":)";
        for (int i = 0; i < 20'000; ++i)
            text += R"({"selfSize":1,"callFrame":{"functionName":"f"},"children":[)";
        const auto batch = test::readFile(text + std::string(1, ' '));
        QVERIFY(batch);
        QVERIFY(batch->losses.count(Loss::OversizedFields) + batch->losses.count(Loss::TruncatedInput) > 0);
    }
    void whatIsCutOffOrDamagedLeavesTheRest()
    {
        QVERIFY(test::readDamaged(kV8Cpu, cpuProfile()) > 0);
        QVERIFY(test::readDamaged(kV8Cpu, kOldCpuProfile) > 0);
        QVERIFY(test::readDamaged(kV8Heap, heapProfile()) > 0);
    }
};

QTEST_GUILESS_MAIN(TestV8)
#include "tst_v8.moc"
