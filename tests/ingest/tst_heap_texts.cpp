#include "tests/support/files.h"
#include "tests/support/profile_text.h"

#include <QTest>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

constexpr const char *kMassifText =
    "desc: --stacks=no\n"
    "cmd: ./prog\n"
    "time_unit: ms\n"
    "#-----------\n"
    "snapshot=0\n"
    "#-----------\n"
    "time=0\n"
    "mem_heap_B=0\n"
    "heap_tree=empty\n"
    "snapshot=1\n"
    "time=7\n"
    "mem_heap_B=1000\n"
    "heap_tree=peak\n"
    "n2: 1000 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
    " n2: 900 0x10929B: alloc (work.c:10)\n"
    "  n0: 600 0x109356: run (work.c:11)\n"
    "  n0: 200 0x109400: main (in /usr/bin/prog)\n"
    " n0: 100 in 2 places, all below massif's threshold (1.00%)\n"
    "snapshot=2\n"
    "time=9\n"
    "mem_heap_B=300\n"
    "heap_tree=detailed\n"
    "n1: 300 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
    " n0: 300 0x10929B: alloc (work.c:10)\n";

/// main calls f, in which g is inlined. Sixteen bytes twice, of which one is freed at once; then 256 that
/// stay.
constexpr const char *kHeaptrackText = "v 10400 3\n"
                                       "X ./prog\n"
                                       "I 1000 5e298d\n"
                                       "s d /usr/bin/prog\n"
                                       "s 4 main\n"
                                       "s 1 f\n"
                                       "s 1 g\n"
                                       "s 3 a.c\n"
                                       "i 401000 1 2 5 a\n"
                                       "i 402000 1 4 5 14 3 5 1e\n"
                                       "i 403000 1\n"
                                       "t 1 0\n"
                                       "t 2 1\n"
                                       "t 3 1\n"
                                       "a 10 2\n"
                                       "a 100 3\n"
                                       "+ 0\n"
                                       "- 0\n"
                                       "+ 0\n"
                                       "+ 1\n"
                                       "c a\n"
                                       "R 3\n"
                                       "- 0\n"
                                       "c b\n";

} // namespace

class TestHeapTexts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void massifShowsThePeak()
    {
        const auto snapshot = test::openFile(kMassifText);
        COMPARE_TEXT(test::tree(snapshot),
                     "run 600 0\n  alloc 600 600\nmain 200 0\n  alloc 200 200\nalloc 100 100\n"
                     "in 2 places, all below massif's threshold (1.00%) 100 100\n");
        QVERIFY(snapshot->origins[0].comments.back().find("that of the peak is shown") != std::string::npos);
        QVERIFY(!snapshot->losses.any());
    }
    void massifsSnapshotsAreMetrics()
    {
        const auto snapshot = test::openFile(kMassifText);
        QCOMPARE(snapshot->text(snapshot->metrics[0].name), std::string_view("mem_heap_B"));
        QCOMPARE(snapshot->points.rows, std::uint64_t(3));
        QCOMPARE(snapshot->points.chunks[0]->rows[2].timeNs, std::uint64_t(9'000'000));
        QCOMPARE(snapshot->points.chunks[0]->rows[1].value.integer(), std::int64_t(1000));
    }
    void heaptrackHasFiveSeries()
    {
        const auto snapshot = test::openFile(kHeaptrackText);
        COMPARE_TEXT(test::top(snapshot, "series:allocations"), "g 2 2\n[prog] 1 1\nmain 0 3\nf 0 2\n");
        COMPARE_TEXT(test::top(snapshot, "series:temporary"), "g 1 1\nf 0 1\nmain 0 1\n");
        COMPARE_TEXT(test::top(snapshot, "series:allocated"),
                     "[prog] 256 256\ng 32 32\nmain 0 288\nf 0 32\n");
        COMPARE_TEXT(test::top(snapshot, "series:leaked"), "[prog] 256 256\nmain 0 256\n");
        COMPARE_TEXT(test::top(snapshot, "series:peak"), "[prog] 256 256\ng 16 16\nmain 0 272\nf 0 16\n");
        QVERIFY(!snapshot->losses.any());
    }
    void inlinedFunctionsBelongToTheirFrame()
    {
        const auto snapshot = test::openFile(kHeaptrackText);
        COMPARE_TEXT(test::tree(snapshot, "series:allocated noinlines"),
                     "main 288 0\n  [prog] 256 256\n  f 32 32\n");
    }
    void heaptracksTimesAreMetrics()
    {
        const auto snapshot = test::openFile(kHeaptrackText);
        QCOMPARE(snapshot->points.rows, std::uint64_t(3));
        QCOMPARE(snapshot->points.chunks[0]->rows[0].value.integer(), std::int64_t(272));
        QCOMPARE(snapshot->points.chunks[0]->rows[1].value.integer(), std::int64_t(3 * 4096));
        QCOMPARE(snapshot->points.chunks[0]->rows[2].timeNs, std::uint64_t(11'000'000));
    }
    void referencesToNothingAreCounted()
    {
        const auto batch = test::readFile(std::string(kHeaptrackText) + "+ 99\nt 99 1\na 5 99\n+ 2\n");
        QCOMPARE(batch->losses.count(Loss::MalformedRecords), std::uint64_t(4));
        COMPARE_TEXT(batch->losses.details().front(), "line 25 cannot be understood");
    }
    void whatIsCutOffOrDamagedLeavesTheRest()
    {
        QVERIFY(test::readDamaged(kMassif, kMassifText) > 100);
        QVERIFY(test::readDamaged(kHeaptrack, kHeaptrackText) > 20);
    }
};

QTEST_GUILESS_MAIN(TestHeapTexts)
#include "tst_heap_texts.moc"
