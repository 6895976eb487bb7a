#include "tests/support/files.h"
#include "tests/support/profile_text.h"

#include <QTest>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

constexpr const char *kTwoEvents =
    "work 12/13 [001]   403.629002:     250000 cycles:u: \n"
    "\t            11f9 leaf+0x40 (/usr/bin/work)\n"
    "\t            122c std::map<int, int>::find(int) const+0xe (/usr/bin/work)\n"
    "\n"
    "Web Content 12/14 [000]   404.000001:     500000 cycles:u: \n"
    "\tffffffff817554ea elf_load+0x28a ([kernel.kallsyms])\n"
    "\t            122c std::map<int, int>::find(int) const+0xe (/usr/bin/work)\n"
    "\t    7f6e6b0f2ad7 [unknown] ([unknown])\n"
    "\n"
    "work 12/13 [001]   404.500000:    1001001 cpu-clock: \n"
    "\t            11f9 leaf+0x40 (/usr/bin/work)\n"
    "\n";

} // namespace

class TestPerfScript : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEventIsASeriesOfItsPeriods()
    {
        const auto snapshot = test::openFile(kTwoEvents);
        COMPARE_TEXT(test::top(snapshot, "series:cycles:u"),
                     "elf_load 500000 500000\nleaf 250000 250000\n"
                     "std::map<int, int>::find(int) const 0 750000\n<unknown> 0 500000\n");
        COMPARE_TEXT(test::top(snapshot, "series:cpu-clock"), "leaf 1001001 1001001\n");
        QCOMPARE(snapshot->text(snapshot->series[1].unit), std::string_view("nanoseconds"));
        QVERIFY(!snapshot->losses.any());
    }
    void threadsProcessesAndProcessorsAreAttributes()
    {
        const auto snapshot = test::openFile(kTwoEvents);
        COMPARE_TEXT(test::top(snapshot, "series:cycles:u @thread=\"Web Content\" by:binary"),
                     "[kernel.kallsyms] 500000 500000\n<unknown> 0 500000\nwork 0 500000\n");
        COMPARE_TEXT(test::top(snapshot, "series:cycles:u @cpu=1 @process.pid=12 @thread.id=13"),
                     "leaf 250000 250000\nstd::map<int, int>::find(int) const 0 250000\n");
    }
    void theKernelIsAKindOfFrame()
    {
        const auto snapshot = test::openFile(kTwoEvents);
        COMPARE_TEXT(test::tree(snapshot, "series:cycles:u type:kernel"),
                     "<unknown> 500000 0\n  std::map<int, int>::find(int) const 500000 0\n"
                     "    elf_load 500000 500000\n");
    }
    void timesAreThoseOfTheSamples()
    {
        const auto snapshot = test::openFile(kTwoEvents);
        const SampleChunk &cycles = *snapshot->tables[0].chunks[0];
        QCOMPARE(cycles.earliest(), std::int64_t(403'629'002'000));
        QCOMPARE(cycles.latest(), std::int64_t(404'000'001'000));
    }
    void inlinedFunctionsBelongToTheFrameBelowThem()
    {
        const auto snapshot = test::openFile("work 13 1.000000: 1 cycles: \n"
                                             "\t 11f9 inner (inlined)\n"
                                             "\t 11f9 middle (inlined)\n"
                                             "\t 11f9 outer+0x3 (/usr/bin/work)\n\n");
        COMPARE_TEXT(test::tree(snapshot), "outer 1 0\n  middle 1 0\n    inner 1 1\n");
        QCOMPARE(snapshot->frames.size(), std::size_t(1));
    }
    void placesInTheSourceBelongToTheFrameAboveThem()
    {
        const auto snapshot = test::openFile("work 13 1.000000: 1 cycles: \n"
                                             "\t 11f9 f+0x3 (/usr/bin/work)\n  work.c:12\n"
                                             "\t 122c main+0x3 (/usr/bin/work)\n  work.c:30\n\n"
                                             "work 13 1.000001: 1 cycles: \n"
                                             "\t 11f9 f+0x3 (/usr/bin/work)\n  work.c:12\n"
                                             "\t ffffffff81 do_it ([kernel])\n  [kernel][ffffffff81]\n\n");
        COMPARE_TEXT(test::top(snapshot, "by:file"), "work.c 2 2\n[[kernel]] 0 1\n");
        QVERIFY(!snapshot->losses.any());
    }
    void fieldsMayBeMissing_data()
    {
        QTest::addColumn<QByteArray>("head");
        for (const char *head : {"work 13 1.000000: 1 cycles: ", "work 13 1.000000: cycles: ",
                                 "work 13 [001] 1.000000: ", "            work    13     1.0: 1 cycles:",
                                 "work 13 [001] d.h1. 1.000000: sched:sched_switch: prev_comm=work ==> next",
                                 "work 12/13 cycles:", "work 13 ", "work "})
            QTest::addRow("%s", head) << QByteArray(head);
    }
    void fieldsMayBeMissing()
    {
        QFETCH(QByteArray, head);
        const auto snapshot =
            test::openFile(head.toStdString() + "\n\t 11f9 f+0x3 (/usr/bin/work)\n\t 122c main\n\n");
        COMPARE_TEXT(test::tree(snapshot, "@thread=work"), "main 1 0\n  f 1 1\n");
    }
    void aStackOfOneFrameMayStandInTheLineOfItsSample()
    {
        const auto snapshot = test::openFile("work 13 1.0: 7 cycles:  ffffffff81 do_it+0x1 ([kernel])\n"
                                             "work 13 2.0: 8 cycles:  122c main+0x1 (/usr/bin/work)\n");
        COMPARE_TEXT(test::top(snapshot), "main 8 8\ndo_it 7 7\n");
    }
    void otherRecordsAreNoSamplesAndLostOnesAreCounted()
    {
        const auto snapshot =
            test::openFile(std::string(kTwoEvents) + "work 12/13 [000] 4.0: PERF_RECORD_LOST lost 12\n" +
                           "work 12/13 [000] 4.0: PERF_RECORD_COMM: work:12/13\n");
        QCOMPARE(snapshot->sampleCount(), std::uint64_t(3));
        QCOMPARE(snapshot->losses.count(Loss::DroppedBySender), std::uint64_t(1));
    }
    void linesThatAreNeitherAreCountedWithTheirPlace()
    {
        const auto batch = test::readFile(std::string(kTwoEvents) + "work 13 1.0: 7 cycles:\n\tx y z\n");
        QCOMPARE(batch->losses.count(Loss::UnreadableLines), std::uint64_t(1));
        COMPARE_TEXT(batch->losses.details().front(), "line 14 is neither a sample nor a frame");
    }
    void whatIsCutOffOrDamagedLeavesTheRest()
    {
        QVERIFY(test::readDamaged(kPerfScript, kTwoEvents) > std::string_view(kTwoEvents).size() / 2);
    }
    void largeTextsAreHandedOverInParts()
    {
        std::string text;
        for (int i = 0; text.size() < (std::size_t(40) << 20); ++i)
            text += "work 13 1.0: 1 cycles: \n\t 11f9 " + std::string(2000, 'f') + std::to_string(i) +
                    "+0x1 (/usr/bin/work)\n\n";
        std::uint64_t samples = 0;
        std::size_t parts = 0;
        const auto count = [&](const Batch &batch) {
            for (const SampleBlock &block : batch.blocks)
                for (const SampleChunk &chunk : block.chunks)
                    samples += chunk.rows();
            ++parts;
        };
        ReadOptions options;
        options.takePart = [&](const Batch &part) {
            count(part);
            return ~std::size_t(0);
        };
        const auto rest = test::readFile(text, options);
        QVERIFY2(rest, rest ? "" : rest.error().message.c_str());
        count(*rest);
        QVERIFY(parts > 1);
        QCOMPARE(samples, std::uint64_t(std::ranges::count(text, '\n') / 3));
    }
    void cancellingAndTheMemoryBudgetEndIt()
    {
        ReadOptions options;
        std::stop_source stop;
        stop.request_stop();
        options.stop = stop.get_token();
        COMPARE_TEXT(test::readFile(kTwoEvents, options).error().message, "test: cancelled");
        ReadOptions small;
        small.memoryBudget = 1;
        const auto batch = test::readFile(kTwoEvents, small);
        QCOMPARE(batch->losses.count(Loss::SamplesOverBudget), std::uint64_t(1));
        COMPARE_TEXT(batch->losses.details().front(),
                     "memory budget of 0 MiB reached at line 4; the rest was not read");
    }
};

QTEST_GUILESS_MAIN(TestPerfScript)
#include "tst_perf_script.moc"
