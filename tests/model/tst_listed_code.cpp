#include "model/code/listed_code.h"

#include <QTest>

#include <limits>

using namespace hearth;

namespace {

/// "1-3 7-9"
QByteArray around(const std::vector<std::int64_t> &weighed, std::size_t lineCount, std::size_t context)
{
    std::vector<LineWeight> lines;
    for (const std::int64_t line : weighed)
        lines.push_back({.file = "a.c", .line = line, .self = 1, .total = 1});
    QByteArrayList ranges;
    for (const LineRange &range : linesAround(lines, lineCount, context))
        ranges += QByteArray::number(qint64(range.first)) + '-' + QByteArray::number(qint64(range.last));
    return ranges.join(' ');
}

} // namespace

/// Which lines of a source file are listed.
class TestListedCode : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesThatWeighHaveOthersAroundThem()
    {
        QCOMPARE(around({10, 40}, 100, 3), QByteArray("7-13 37-43"));
        QCOMPARE(around({10}, 100, 0), QByteArray("10-10"));
        QCOMPARE(around({}, 100, 3), QByteArray());
    }
    void theTextEndsWhereItEnds() { QCOMPARE(around({2, 99}, 100, 3), QByteArray("1-5 96-100")); }
    void whatIsCloseIsOne()
    {
        QCOMPARE(around({10, 17}, 100, 3), QByteArray("7-20")); // nothing in between
        QCOMPARE(around({10, 18}, 100, 3), QByteArray("7-13 15-21"));
        QCOMPARE(around({10, 11}, 100, 3), QByteArray("7-14"));
    }
    void linesThatTheTextDoesNotHaveAreAlone()
    {
        QCOMPARE(around({0, 20, 500}, 100, 3), QByteArray("0-0 17-23 500-500"));
        QCOMPARE(around({20, 22}, 0, 3), QByteArray("20-20 22-22"));
        constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(around({-5, kMost - 1, kMost}, 10, 3),
                 QByteArray("-5--5 9223372036854775806-9223372036854775807"));
    }
};

QTEST_GUILESS_MAIN(TestListedCode)
#include "tst_listed_code.moc"
