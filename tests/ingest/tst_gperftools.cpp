#include "tests/support/files.h"
#include "tests/support/profile_text.h"

#include <QTest>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

constexpr const char *kMaps = "MAPPED_LIBRARIES:\n"
                              "00400000-00401000 r--p 00000000 00:00 12     /usr/bin/prog\n"
                              "00401000-00402000 r-xp 00001000 00:00 12     /usr/bin/prog\n"
                              "00500000-00501000 r-xp 00000000 00:00 13     /usr/lib/libc.so.6\n";

/// A CPU profile in words of a size and an order: two samples, and where the binaries were.
std::string cpuProfile(std::size_t size, bool isBig)
{
    std::string bytes;
    for (const std::uint64_t word : std::initializer_list<std::uint64_t>{
             0, 3, 0, 2000, 0, 5, 3, 0x500100, 0x500100, 0x401201, 1, 2, 0x401150, 0x401201, 0, 1, 0})
        for (std::size_t byte = 0; byte < size; ++byte)
            bytes += static_cast<char>(word >> (8 * (isBig ? size - 1 - byte : byte)));
    return bytes + std::string(kMaps).substr(18);
}

const std::string kHeap = "heap profile:   8:  6853312 [   800: 368005312] @ heapprofile\n"
                          "  7:  700 [   70: 7000] @ 0x401101 0x401201\n"
                          "  1:  100 [   10: 1000] @ 0x500101 0x401201\n\n" +
                          std::string(kMaps);

constexpr const char *kGoroutines = "goroutine profile: total 6\n"
                                    "5 @ 0x47dc2e 0x4da0af\n"
                                    "#\t0x4da0ae\tmain.main.func2+0xe\t/src/g.go:12\n"
                                    "\n"
                                    "1 @ 0x4429b1 0x4da0af\n"
                                    "# labels: {\"a\":\"b\"}\n"
                                    "#\t0x4429b0\tmain.wait+0xb0\t\t/src/g.go:20\n"
                                    "#\t0x4da0ae\tmain.main.func2+0xe\t/src/g.go:12\n";

} // namespace

class TestGperftools : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cpuProfilesOfAnyMachineAreRead_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("isBig");
        QTest::addRow("64 bit") << 8 << false;
        QTest::addRow("32 bit") << 4 << false;
        QTest::addRow("64 bit, highest byte first") << 8 << true;
        QTest::addRow("32 bit, highest byte first") << 4 << true;
    }
    void cpuProfilesOfAnyMachineAreRead()
    {
        QFETCH(int, size);
        QFETCH(bool, isBig);
        const auto snapshot = test::openFile(cpuProfile(static_cast<std::size_t>(size), isBig));
        COMPARE_TEXT(test::top(snapshot, "series:samples by:binary"), "libc.so.6 5 5\nprog 1 6\n");
        COMPARE_TEXT(test::top(snapshot, "series:cpu by:binary"),
                     "libc.so.6 10000000 10000000\nprog 2000000 12000000\n");
        QVERIFY(!snapshot->losses.any());
    }
    void aLeafThatIsThereTwiceIsTakenOnce()
    {
        const auto snapshot = test::openFile(cpuProfile(8, false));
        std::vector<std::uint64_t> addresses;
        for (StackId at(2); at != StackId(); at = snapshot->stacks[at.value].parent)
            addresses.push_back(snapshot->frames[snapshot->stacks[at.value].frame.value].address);
        QCOMPARE(addresses, (std::vector<std::uint64_t>{0x100, 0x1200}));
    }
    void heapProfilesHaveWhatIsAliveAndWhatEverWas()
    {
        const auto snapshot = test::openFile(kHeap);
        COMPARE_TEXT(test::top(snapshot, "series:inuse_space by:binary"),
                     "prog 700 800\nlibc.so.6 100 100\n");
        COMPARE_TEXT(test::top(snapshot, "series:inuse_objects by:binary"), "prog 7 8\nlibc.so.6 1 1\n");
        COMPARE_TEXT(test::top(snapshot, "series:alloc_space by:binary"),
                     "prog 7000 8000\nlibc.so.6 1000 1000\n");
        COMPARE_TEXT(test::top(snapshot, "series:alloc_objects by:binary"), "prog 70 80\nlibc.so.6 10 10\n");
    }
    void sampledHeapsAreScaledAsPprofDoes()
    {
        // 1 / (1 - e^(-1000/500)) = 1.15651…
        const auto snapshot =
            test::openFile("heap profile: 1: 2 [ 3: 4] @ heap/1000\n1: 1000 [2: 2000] @ 0x10\n");
        COMPARE_TEXT(test::top(snapshot, "series:inuse_space"), "<unknown> 1156 1156\n");
        COMPARE_TEXT(test::top(snapshot, "series:alloc_space"), "<unknown> 2313 2313\n");
    }
    void jemallocHasItsAddressesInALineOfTheirOwn()
    {
        const auto snapshot = test::openFile("heap_v2/1\n  t*: 8: 800 [0: 0]\n  t0: 8: 800 [0: 0]\n"
                                             "@ 0x401101 0x401201\n  t*: 7: 700 [0: 0]\n  t0: 7: 700 [0: 0]\n"
                                             "@ 0x500101\n  t*: 1: 100 [0: 0]\n\n" +
                                             std::string(kMaps));
        COMPARE_TEXT(test::top(snapshot, "series:inuse_space by:binary"),
                     "prog 700 700\nlibc.so.6 100 100\n");
        QVERIFY(!snapshot->losses.any());
    }
    void goNamesItsAddresses()
    {
        const auto snapshot = test::openFile(kGoroutines);
        COMPARE_TEXT(test::tree(snapshot), "main.main.func2 6 0\n  runtime.(hidden) 5 5\n  main.wait 1 1\n");
        COMPARE_TEXT(test::top(snapshot, "main.wait by:file"), "/src/g.go 1 1\n");
        QCOMPARE(snapshot->text(snapshot->series[0].type), std::string_view("goroutine"));
    }
    void whatGoInlinedIsAtTheSameAddress()
    {
        const auto snapshot =
            test::openFile("goroutine profile: total 3\n2 @ 0x10 0x20\n"
                           "#\t0xf\tmain.inner+0x1\t/g.go:1\n#\t0xf\tmain.outer+0x1\t/g.go:2\n"
                           "#\t0x1f\tmain.main+0x1\t/g.go:3\n\n1 @ 0x10\n"
                           "#\t0xf\tmain.inner+0x1\t/g.go:1\n#\t0xf\tmain.outer+0x1\t/g.go:2\n");
        COMPARE_TEXT(test::tree(snapshot), "main.main 2 0\n  main.outer 2 0\n    main.inner 2 2\n"
                                           "main.outer 1 0\n  main.inner 1 1\n");
    }
    void whatAllocatesIsCutOffAsByPprof()
    {
        const auto snapshot =
            test::openFile("heap profile: 3: 30 [3: 30] @ heap/2\n2: 20 [2: 20] @ 0x10 0x20 0x30\n"
                           "#\t0x1f\tmain.keeps+0x1\t/g.go:1\n#\t0x2f\tmain.main+0x1\t/g.go:2\n"
                           "1: 10 [1: 10] @ 0x40\n#\t0x3f\truntime.mallocgc+0x1\t/m.go:3\n");
        COMPARE_TEXT(test::top(snapshot, "series:inuse_space"),
                     "main.keeps 20 20\nruntime.mallocgc 10 10\nmain.main 0 20\n");
    }
    void contentionsAreCountedAndTimed()
    {
        const auto snapshot = test::openFile("--- contention:\ncycles/second=2000000000\n"
                                             "4000 3 @ 0x10 0x20\n#\t0xf\tmain.lock+0x1\t/g.go:1\n");
        COMPARE_TEXT(test::top(snapshot, "series:delay"), "main.lock 2000 2000\nruntime.(hidden) 0 2000\n");
        COMPARE_TEXT(test::top(snapshot, "series:contentions"), "main.lock 3 3\nruntime.(hidden) 0 3\n");
    }
    void periodsOfMutexesScaleBoth()
    {
        const auto snapshot =
            test::openFile("--- mutex:\ncycles/second=1000000000\nsampling period=10\n4000 3 @ 0x10\n");
        COMPARE_TEXT(test::top(snapshot, "series:delay"), "<unknown> 40000 40000\n");
        COMPARE_TEXT(test::top(snapshot, "series:contentions"), "<unknown> 30 30\n");
    }
    void linesThatAreNoSamplesAreCounted()
    {
        const auto batch = test::readFile("goroutine profile: total 6\n5 @ 0x10\nwhat is this\n");
        QCOMPARE(batch->losses.count(Loss::UnreadableLines), std::uint64_t(1));
        COMPARE_TEXT(batch->losses.details().front(), "line 3 is no sample");
    }
    void whatIsCutOffOrDamagedLeavesTheRest()
    {
        QVERIFY(test::readDamaged(kGperftoolsCpu, cpuProfile(8, false)) > 200);
        QVERIFY(test::readDamaged(kLegacyText, kHeap) > 200);
        QVERIFY(test::readDamaged(kLegacyText, kGoroutines) > 100);
    }
};

QTEST_GUILESS_MAIN(TestGperftools)
#include "tst_gperftools.moc"
