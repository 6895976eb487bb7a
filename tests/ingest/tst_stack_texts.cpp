#include "tests/support/files.h"
#include "tests/support/profile_text.h"

#include <QTest>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

constexpr const char *kBpftrace = "Attaching 1 probe...\n"
                                  "\n"
                                  "@reads[\n"
                                  "    vfs_read+1\n"
                                  "    do_syscall_64+113\n"
                                  ", \n"
                                  "    read+0x12\n"
                                  "    main+35\n"
                                  ", bash, 1234]: 12\n"
                                  "@reads[\n"
                                  "    vfs_read+1\n"
                                  ", cat, 1235]: 3\n";

constexpr const char *kDtrace = "\n"
                                "              libc.so.1`read+0x15\n"
                                "              bash`main+0x2b0\n"
                                "               12\n"
                                "\n"
                                "              unix`syscall+0x13c\n"
                                "              bash`main+0x2b0\n"
                                "              0x7f6e6b0f2ad7\n"
                                "                3\n";

constexpr const char *kSample = "Analysis of sampling work (pid 123) every 2 milliseconds\n"
                                "Process:         work [123]\n"
                                "\n"
                                "Call graph:\n"
                                "    10 Thread_77   DispatchQueue_1: com.apple.main-thread  (serial)\n"
                                "      10 main  (in work) + 23  [0x10f2b3e97]  work.c:12\n"
                                "      + 6 parse  (in work) + 10,40  [0x10f2b3d11,0x10f2b3d20]\n"
                                "      + ! 2 malloc  (in libsystem_malloc.dylib) + 9  [0x7fff1]\n"
                                "      + 3 ???  (in work)  load address 0x10f2b3000 + 0x1  [0x10f2b3001]\n"
                                "    4 Thread_78\n"
                                "      4 run  (in work) + 3  [0x10f2b3e00]\n"
                                "\n"
                                "Total number in stack (recursive counted multiple, when >=5):\n";

} // namespace

class TestStackTexts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mapsOfBpftraceAreSeries()
    {
        const auto snapshot = test::openFile(kBpftrace);
        COMPARE_TEXT(test::tree(snapshot, "series:reads"),
                     "main 12 0\n  read 12 0\n    do_syscall_64 12 0\n      vfs_read 12 12\nvfs_read 3 3\n");
        QVERIFY(!snapshot->losses.any());
    }
    void otherKeysOfAMapAreAttributes()
    {
        const auto snapshot = test::openFile(kBpftrace);
        COMPARE_TEXT(test::top(snapshot, "@process=cat"), "vfs_read 3 3\n");
        COMPARE_TEXT(test::top(snapshot, "@key=1235"), "vfs_read 3 3\n");
    }
    void framesOfBpftraceMayBePrintedAsPerfDoes()
    {
        const auto snapshot = test::openFile("@[\n\tffffffffb4019501 do_mmap+1 ([kernel.kallsyms])\n"
                                             "\t7f6e6b0f2ad7 main+5 (/usr/bin/work)\n]: 2\n");
        COMPARE_TEXT(test::top(snapshot, "by:binary"), "[kernel.kallsyms] 2 2\nwork 0 2\n");
    }
    void histogramsAreCountedAsLost()
    {
        const auto snapshot =
            test::openFile(std::string(kBpftrace) + "@us[\n    f+1\n]: \n[1]  3 |@@@|\n[2, 4) 1 |@|\n\n");
        QCOMPARE(snapshot->losses.count(Loss::UnreadableLines), std::uint64_t(1));
        COMPARE_TEXT(test::top(snapshot), "vfs_read 15 15\ndo_syscall_64 0 12\nmain 0 12\nread 0 12\n");
    }
    void stacksOfDtraceEndInTheirCount()
    {
        const auto snapshot = test::openFile(kDtrace);
        COMPARE_TEXT(test::top(snapshot, "by:binary"),
                     "libc.so.1 12 12\nunix 3 3\nbash 0 15\n<unknown> 0 3\n");
        COMPARE_TEXT(test::top(snapshot, "read"), "read 12 12\nmain 0 12\n");
    }
    void linesOfSampleWeighWhatTheirCalleesLeave()
    {
        const auto snapshot = test::openFile(kSample);
        COMPARE_TEXT(test::tree(snapshot, "series:samples @thread~Thread_77"),
                     "main 10 1\n  parse 6 4\n    malloc 2 2\n  [work] 3 3\n");
        COMPARE_TEXT(test::top(snapshot, "series:samples @thread=Thread_78"), "run 4 4\n");
        QCOMPARE(snapshot->tables[0].period, std::int64_t(2'000'000));
    }
    void whatIsCutOffOrDamagedLeavesTheRest()
    {
        QVERIFY(test::readDamaged(kStackText, kBpftrace) > 0);
        QVERIFY(test::readDamaged(kStackText, kDtrace) > 0);
        QVERIFY(test::readDamaged(kSampleText, kSample) > 0);
    }
};

QTEST_GUILESS_MAIN(TestStackTexts)
#include "tst_stack_texts.moc"
