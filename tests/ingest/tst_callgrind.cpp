#include "tests/support/files.h"
#include "tests/support/profile_text.h"

#include <QTest>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

/// main calls a once and b twice; both call leaf, a for 300 and b for 100.
constexpr const char *kGraph = "# callgrind format\n"
                               "version: 1\n"
                               "cmd:  ./prog\n"
                               "positions: line\n"
                               "events: Ir Dr\n"
                               "summary: 1000 10\n"
                               "\n"
                               "ob=(1) /usr/bin/prog\n"
                               "fl=(1) prog.c\n"
                               "fn=(1) main\n"
                               "10 50 1\n"
                               "cfn=(2) a\n"
                               "calls=1 20\n"
                               "+1 500 5\n"
                               "cfn=(3) b\n"
                               "calls=2 30\n"
                               "* 450 4\n"
                               "\n"
                               "fn=(2)\n"
                               "20 200 2\n"
                               "cfn=(4) leaf\n"
                               "calls=1 40\n"
                               "20 300 3\n"
                               "jump=4 25\n"
                               "21\n"
                               "\n"
                               "fn=(3)\n"
                               "30 350 2\n"
                               "cob=(1)\n"
                               "cfi=(1)\n"
                               "cfn=(4)\n"
                               "calls=1 40\n"
                               "+2 100 1\n"
                               "\n"
                               "fn=(4)\n"
                               "40 301\n"
                               "fi=(2) inl.h\n"
                               "+5 99 4\n"
                               "fe=(1)\n";

} // namespace

class TestCallgrind : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void selfCostsAreExact()
    {
        const auto snapshot = test::openFile(kGraph);
        COMPARE_TEXT(test::top(snapshot, "series:Ir"), "leaf 400 400\nb 350 450\na 200 500\nmain 50 1000\n");
        COMPARE_TEXT(test::top(snapshot, "series:Dr"), "leaf 4 4\na 2 5\nb 2 3\nmain 1 9\n");
        QVERIFY(!snapshot->losses.any());
    }
    void costsAreUnderTheirCallersInProportionToTheirCalls()
    {
        COMPARE_TEXT(test::tree(test::openFile(kGraph), "series:Ir"),
                     "main 1000 50\n  a 500 200\n    leaf 300 300\n  b 450 350\n    leaf 100 100\n");
    }
    void thatItIsAGraphIsSaid()
    {
        const auto snapshot = test::openFile(kGraph);
        QVERIFY(snapshot->origins[0].comments.back().find("calls, not stacks") != std::string::npos);
    }
    void linesAndInlinedFilesAreKept()
    {
        COMPARE_TEXT(test::top(test::openFile(kGraph), "series:Ir by:file"),
                     "prog.c 901 1000\ninl.h 99 99\n");
    }
    void partsAddUp()
    {
        const auto snapshot =
            test::openFile(std::string(kGraph) + "\npart: 2\nevents: Dr Ir\nfn=(4)\n40 6 1000\n");
        COMPARE_TEXT(test::top(snapshot, "series:Ir leaf"), "leaf 1400 1400\nmain 0 400\na 0 300\nb 0 100\n");
        COMPARE_TEXT(test::top(snapshot, "series:Dr self:leaf").substr(0, 11), "leaf 10 10\n");
    }
    void functionsThatCallEachOtherEnd()
    {
        const auto snapshot =
            test::openFile("version: 1\nevents: Time\nfn=a\n1 10\ncfn=b\ncalls=1 1\n1 90\n"
                           "fn=b\n2 20\ncfn=a\ncalls=1 1\n2 70\nfn=self\n3 5\ncfn=self\ncalls=9 3\n3 1\n");
        COMPARE_TEXT(test::top(snapshot, "-nothing"), "b 20 20\na 10 30\nself 5 5\n");
    }
    void instructionsMayBePositions()
    {
        const auto snapshot = test::openFile(
            "# callgrind format\npositions: instr line\nevents: Ir\nfn=f\n0x401136 3 7\n+4 * 5\n");
        COMPARE_TEXT(test::top(snapshot), "f 12 12\n");
    }
    void whatCannotBeUnderstoodIsCountedWithItsPlace()
    {
        const auto batch =
            test::readFile("# callgrind format\nevents: Ir\n5 6\nfn=f\n5 6\n5 x\nfn=(77)\n1 1\n");
        QCOMPARE(batch->losses.count(Loss::UnreadableLines), std::uint64_t(2));
        QCOMPARE(batch->losses.count(Loss::UnknownReferences), std::uint64_t(1));
        COMPARE_TEXT(batch->losses.details().front(), "line 3 cannot be understood");
    }
    void whatIsCutOffOrDamagedLeavesTheRest() { QVERIFY(test::readDamaged(kCallgrind, kGraph) > 200); }
};

QTEST_GUILESS_MAIN(TestCallgrind)
#include "tst_callgrind.moc"
