#include "model/lens/lens_text.h"
#include "model/views/flame_scope.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <numeric>
#include <string>

using namespace hearth;
using namespace hearth::test;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

std::shared_ptr<const FlameScope> scoped(const std::string &profile, std::string_view lens = {},
                                         std::size_t rows = 4)
{
    const auto scope = flameScopeOf(snapshotOf(profile), *parseLens(lens), rows, {});
    if (!scope)
        qWarning("%s", scope.error().message.c_str());
    return *scope;
}

/// A line a column, its cells from the first on.
std::string cellsText(const FlameScope &scope)
{
    std::string text;
    for (std::size_t cell = 0; cell < scope.cells.size(); ++cell)
        text += std::to_string(scope.cells[cell]) + ((cell + 1) % scope.rows == 0 ? "\n" : " ");
    return text;
}

/// At 100 s and a quarter, and so on for 30 s.
constexpr const char *kProfile = "a 1 | @100000000000\n"
                                 "a 2 | @100250000000\n"
                                 "b 3 | @100999000000\n"
                                 "b 4 | @101500000000\n"
                                 "a 5 | @130000000000\n";

} // namespace

class TestFlameScope : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aColumnIsASecondAndItsCellsAreParts()
    {
        const auto scope = scoped(kProfile);
        QCOMPARE(scope->columnNs, std::int64_t(1'000'000'000));
        QCOMPARE(scope->columns, std::size_t(31));
        QCOMPARE(scope->beginNs, std::int64_t(100'000'000'000));
        COMPARE_TEXT(cellsText(*scope).substr(0, 16), "1 2 0 3\n0 0 4 0\n");
        QCOMPARE(scope->cells[30 * 4], std::int64_t(5));
        QCOMPARE(scope->peak, std::int64_t(5));
        QCOMPARE(scope->beginOf(5), std::int64_t(101'250'000'000));
    }
    void cellsAreNoFinerThanTheTimes()
    {
        QCOMPARE(scoped(kProfile, {}, 5000)->rows, std::size_t(1000)); // milliseconds
        QCOMPARE(scoped("a 1 | @1000000000\na 1 | @31000000000\n", {}, 50)->rows, std::size_t(1));
    }
    void columnsSuitTheLengthOfTheData()
    {
        QCOMPARE(scoped("a 1 | @1\na 1 | @900000000\n")->columnNs, std::int64_t(100'000'000));
        QCOMPARE(scoped("a 1 | @1\na 1 | @86400000000000\n")->columnNs, std::int64_t(60'000'000'000));
        const auto world = scoped("a 1 | @-9223372036854775808\nb 2 | @9223372036854775807\n");
        QVERIFY(world->columns <= 2002);
        QCOMPARE(std::accumulate(world->cells.begin(), world->cells.end(), std::int64_t(0)), std::int64_t(3));
        QVERIFY(world->beginOf(world->cells.size()) > world->beginOf(0));
    }
    void theLensDecidesWhatCountsButNotWhen()
    {
        COMPARE_TEXT(cellsText(*scoped(kProfile, "a")).substr(0, 8), "1 2 0 0\n");
        COMPARE_TEXT(cellsText(*scoped(kProfile, "time=0s..0.1s")).substr(0, 8), "1 2 0 3\n");
    }
    void samplesWithoutTimesAreCounted()
    {
        const auto scope = scoped("a 1\nb 2\n");
        QVERIFY(scope->isEmpty());
        QCOMPARE(scope->untimed, std::uint64_t(2));
    }
    void nothingIsLost()
    {
        const bool isTrue = rc::check("cells add up to the samples, each where its time is", [] {
            const auto times = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(
                rc::gen::inRange<std::int64_t>(-5'000'000'000, 400'000'000'000)));
            std::string profile;
            for (const std::int64_t time : times)
                profile += "a 1 | @" + std::to_string(time) + "\n";
            const auto scope = scoped(profile, {}, *rc::gen::inRange<std::size_t>(1, 60));
            std::vector<std::int64_t> cells(scope->cells.size());
            for (const std::int64_t time : times) {
                std::size_t cell = 0;
                while (cell + 1 < cells.size() && scope->beginOf(cell + 1) <= time)
                    ++cell;
                ++cells[cell];
            }
            RC_ASSERT(std::accumulate(scope->cells.begin(), scope->cells.end(), std::int64_t(0)) ==
                      static_cast<std::int64_t>(times.size()));
            RC_ASSERT(cells == scope->cells);
        });
        QVERIFY(isTrue);
    }
};

QTEST_APPLESS_MAIN(TestFlameScope)
#include "tst_flame_scope.moc"
