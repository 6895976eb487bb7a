#include "model/lens/lens_text.h"
#include "model/views/arranged_differences.h"
#include "model/views/difference_evaluator.h"
#include "model/views/difference_table.h"
#include "model/views/event_series.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <cmath>
#include <map>
#include <set>

using namespace hearth;
using test::snapshotOf;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

using Profile = std::map<std::vector<std::string>, std::int64_t>;

std::string textOf(const Profile &profile)
{
    std::string text;
    for (const auto &[stack, value] : profile) {
        for (std::size_t i = 0; i < stack.size(); ++i)
            text += (i == 0 ? "" : ";") + stack[i];
        text += ' ' + std::to_string(value) + '\n';
    }
    return text;
}

Profile randomProfile()
{
    const auto stacks = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::vector<int>>>(
        rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5)))));
    Profile profile;
    for (const auto &numbers : stacks) {
        std::vector<std::string> stack;
        for (const int number : numbers)
            stack.push_back("f" + std::to_string(number));
        profile[stack] += *rc::gen::inRange(0, 1000);
    }
    return profile;
}

std::shared_ptr<const Difference> compared(const std::string &base, const std::string &current,
                                           const char *lens = "",
                                           Normalisation normalisation = Normalisation::None)
{
    const Lens looked = parseLens(lens).value();
    return DifferenceEvaluator()
        .evaluate({snapshotOf(base), looked}, {snapshotOf(current), looked}, normalisation)
        .value();
}

std::string whyNot(const std::string &base, const std::string &current, Normalisation normalisation)
{
    const auto result =
        DifferenceEvaluator().evaluate({snapshotOf(base), {}}, {snapshotOf(current), {}}, normalisation);
    return result ? std::string() : result.error().message;
}

std::string markOf(const Change &change)
{
    return std::string(change.isNew()    ? "new "
                       : change.isGone() ? "gone "
                                         : "") +
           (change.isSignificant() ? "!" : "~");
}

/// A line a row: "name self: base > current total: base > current", and whether the latter is significant.
std::string tableOf(const std::shared_ptr<const Difference> &difference)
{
    std::string text;
    const auto table = differenceTable(difference, DifferenceOrder::Self, 0, {});
    for (const DifferenceRow &row : table->rows)
        text += std::string(row.name) + " self: " + std::to_string(row.self.base) + " > " +
                std::to_string(row.self.current) + " total: " + std::to_string(row.total.base) + " > " +
                std::to_string(row.total.current) + ' ' + markOf(row.total) + '\n';
    return text;
}

void addNode(const Difference &difference, NodeId node, std::size_t depth, std::string &text)
{
    const CallTree &tree = *difference.tree;
    std::map<std::string, NodeId> children;
    for (const NodeId child : tree.children(node))
        children[std::string(tree.entries()[tree.entryOf(child)].name)] = child;
    for (const auto &[name, child] : children) {
        const Change &total = difference.total[child.value];
        text += std::string(depth, ' ') + name + ' ' + std::to_string(total.base) + " > " +
                std::to_string(total.current) + '\n';
        addNode(difference, child, depth + 1, text);
    }
}

std::string treeOf(const Difference &difference)
{
    std::string text;
    addNode(difference, TreeShape::kRoot, 0, text);
    return text;
}

/// What differenceTable() should say of each function, computed from the stacks.
struct Expected {
    std::int64_t selfBase = 0, selfCurrent = 0, totalBase = 0, totalCurrent = 0;
    bool operator==(const Expected &) const = default;
};

std::map<std::string, Expected> expectedRows(const Profile &base, const Profile &current)
{
    std::map<std::string, Expected> rows;
    const auto add = [&](const Profile &profile, std::int64_t Expected::*self,
                         std::int64_t Expected::*total) {
        for (const auto &[stack, value] : profile) {
            if (value == 0)
                continue;
            rows[stack.back()].*self += value;
            for (const std::string &name : std::set<std::string>(stack.begin(), stack.end()))
                rows[name].*total += value;
        }
    };
    add(base, &Expected::selfBase, &Expected::totalBase);
    add(current, &Expected::selfCurrent, &Expected::totalCurrent);
    return rows;
}

std::map<std::string, Expected> rowsOf(const std::shared_ptr<const Difference> &difference)
{
    std::map<std::string, Expected> rows;
    const auto table = differenceTable(difference, DifferenceOrder::Total, 0, {});
    for (const DifferenceRow &row : table->rows)
        rows[std::string(row.name)] = {row.self.base, row.self.current, row.total.base, row.total.current};
    return rows;
}

} // namespace

class TestDifference : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void functionsAreMatchedByName()
    {
        COMPARE_TEXT(tableOf(compared("main;parse 100\nmain;old 50\nmain;io 10\n",
                                      "main;io 10\nmain;parse 300\nmain;parse;extra 20\n")),
                     "parse self: 100 > 300 total: 100 > 320 !\n"
                     "old self: 50 > 0 total: 50 > 0 gone !\n"
                     "extra self: 0 > 20 total: 0 > 20 new !\n"
                     "main self: 0 > 0 total: 160 > 330 !\n"
                     "io self: 10 > 10 total: 10 > 10 ~\n");
    }
    void nodesAreMatchedByTheirWayFromTheRoot()
    {
        COMPARE_TEXT(treeOf(*compared("a;b 1\nb;a 2\na;b;c 3\n", "a;b 4\nb;c 5\na;b;d 6\n")), "a 4 > 10\n"
                                                                                              " b 4 > 10\n"
                                                                                              "  c 3 > 0\n"
                                                                                              "  d 0 > 6\n"
                                                                                              "b 2 > 5\n"
                                                                                              " a 2 > 0\n"
                                                                                              " c 0 > 5\n");
    }
    void aRowIsAFileOrALineWhereTheLensSaysSo()
    {
        Lens byFile;
        byFile.granularity = Granularity::File;
        const auto difference = DifferenceEvaluator()
                                    .evaluate({snapshotOf("f@x.c 5\ng@x.c 5\n"), {}},
                                              {snapshotOf("h@x.c 30\nk@y.c 1\n"), byFile}, {})
                                    .value();
        COMPARE_TEXT(tableOf(difference), "x.c self: 10 > 30 total: 10 > 30 !\n"
                                          "y.c self: 0 > 1 total: 0 > 1 new ~\n");
    }
    void groupsAreRows()
    {
        Lens byThread;
        byThread.groupBy = {"thread"};
        const auto difference =
            DifferenceEvaluator()
                .evaluate({snapshotOf("f 5 | thread=a\nf 50 | thread=b\n"), {}},
                          {snapshotOf("f 50 | thread=b\ng 90 | thread=c\n"), byThread}, {})
                .value();
        COMPARE_TEXT(tableOf(difference), "c self: 0 > 90 total: 0 > 90 new !\n"
                                          "a self: 5 > 0 total: 5 > 0 gone ~\n"
                                          "b self: 50 > 50 total: 50 > 50 ~\n");
    }
    void twoRangesOfOneDataSetAreCompared()
    {
        const auto snapshot = snapshotOf("f 1 | @0\nf 2 | @10\ng 4 | @20\n");
        const auto difference = DifferenceEvaluator()
                                    .evaluate({snapshot, parseLens("time=0s..15ns").value()},
                                              {snapshot, parseLens("time=15ns..1s").value()}, {})
                                    .value();
        COMPARE_TEXT(tableOf(difference), "g self: 0 > 4 total: 0 > 4 new ~\n"
                                          "f self: 3 > 0 total: 3 > 0 gone ~\n");
    }
    void aDifferenceIsNoiseUntilItIsThreeTimesWhatCountsVaryBy()
    {
        const auto isSignificant = [](double base, double current) {
            return Change{static_cast<std::int64_t>(base), static_cast<std::int64_t>(current), base + current}
                .isSignificant();
        };
        QVERIFY(isSignificant(0, 11) && isSignificant(11, 0));
        QVERIFY(!isSignificant(0, 10) && !isSignificant(10, 0));
        QVERIFY(isSignificant(200, 140) && !isSignificant(200, 150));
        QVERIFY(!isSignificant(0, 0) && !isSignificant(7, 7));
        QVERIFY(isSignificant(1e6, 1.01e6) && !isSignificant(1e6, 1.003e6));
    }
    void weightsAreJudgedByHowManySamplesTheyAreOf()
    {
        // 10 ms a sample: 20 and 40 samples, whatever the nanoseconds are
        const std::string head = "series: cpu/nanoseconds\nperiod: cpu/nanoseconds 10000000\n";
        const auto change = compared(head + "f 200000000\n", head + "f 400000000\n")->whole();
        QCOMPARE(std::round(change.z() * 1000), std::round((20 - 1) / std::sqrt(60.0) * 1000));
        // the same of a series without a period, whose table counts samples beside it
        const std::string beside = "series: samples/count delay/nanoseconds\n";
        const auto same = compared(beside + "f 20,200000000\n", beside + "f 40,400000000\n")->whole();
        QCOMPARE(std::round(same.z() * 1000), std::round(change.z() * 1000));
        // nothing tells how many: each sample counts once
        const std::string alone = "series: delay/nanoseconds\n";
        QVERIFY(!compared(alone + "f 1000\n", alone + "f 900000\n")->whole().isSignificant());
    }
    void observationsAreCountedInGroupsToo()
    {
        const std::string head = "series: samples/count delay/nanoseconds\n";
        Lens byThread;
        byThread.groupBy = {"thread"};
        const auto difference =
            DifferenceEvaluator()
                .evaluate({snapshotOf(head + "f 20,2000 | thread=a\nf 0,500 | thread=b\n"), byThread},
                          {snapshotOf(head + "f 80,8000 | thread=a\nf 0,600 | thread=b\n"), byThread}, {})
                .value();
        COMPARE_TEXT(tableOf(difference), "a self: 2000 > 8000 total: 2000 > 8000 !\n"
                                          "b self: 500 > 600 total: 500 > 600 ~\n");
    }
    void estimatesOfObjectsAreJudgedByTheirBytes()
    {
        const auto snapshot =
            snapshotOf("series: alloc_objects/count alloc_space/bytes\nperiod: space/bytes 524288\nf 9,9\n");
        const EventSeries events = eventSeriesOf(*snapshot, chooseSeries(*snapshot, "alloc_objects").value());
        QCOMPARE(events, (EventSeries{"1", 524288}));
        QCOMPARE(chooseSeries(*snapshot, events.name)->name(), std::string("alloc_space/bytes"));
    }
    void rowsOfASeriesCanBeCounted()
    {
        const auto snapshot = snapshotOf("f 100\nf 0\ng 7\nf 5\n");
        COMPARE_TEXT(test::top(snapshot, "series:rows:samples"), "f 2 2\ng 1 1\n");
        QVERIFY(!chooseSeries(*snapshot, "rows:nonsense"));
    }
    void sharesAreComparedWhereTotalsDiffer()
    {
        const auto difference = compared("f 100\ng 300\n", "f 1000\ng 3000\n", "", Normalisation::Total);
        COMPARE_TEXT(tableOf(difference), "f self: 100 > 100 total: 100 > 100 ~\n"
                                          "g self: 300 > 300 total: 300 > 300 ~\n");
        QCOMPARE(difference->scaling.factor, 0.1);
        // a filter on stacks does not hide that the share has changed
        COMPARE_TEXT(tableOf(compared("f 100\ng 300\n", "f 300\ng 100\n", "f", Normalisation::Total)),
                     "f self: 100 > 300 total: 100 > 300 !\n");
    }
    void anEmptySideHasNoTotalToGoBy()
    {
        COMPARE_TEXT(tableOf(compared("series: samples/count\n", "f 20\n", "", Normalisation::Total)),
                     "f self: 0 > 20 total: 0 > 20 new !\n");
    }
    void durationsAreThoseOfTheRangesLookedAt()
    {
        const auto snapshot = snapshotOf("f 10 | @0\nf 10 | @99\nf 10 | @100\nf 10 | @149\n");
        const ComparedView base{snapshot, parseLens("time=0s..100ns").value()};
        const ComparedView current{snapshot, parseLens("time=100ns..150ns").value()};
        QCOMPARE(recordedDuration(base), std::int64_t(100));
        QCOMPARE(recordedDuration(current), std::int64_t(50));
        const auto difference =
            DifferenceEvaluator().evaluate(base, current, Normalisation::Duration).value();
        QCOMPARE(difference->whole().base, std::int64_t(20));
        QCOMPARE(difference->whole().current, std::int64_t(40));
        COMPARE_TEXT(whyNot("f 1\n", "f 1\n", Normalisation::Duration),
                     "they cannot be compared by duration: that of the baseline is not known");
        COMPARE_TEXT(whyNot("f 1\n", "f 1\n", Normalisation::Requests),
                     "they cannot be compared by number of requests: that of the baseline is not known");
    }
    void seriesThatOnlyOneSideHasAreAnError()
    {
        QVERIFY(QByteArray::fromStdString(whyNot("series: space/bytes\nf 1\n", "f 1\n", {}))
                    .startsWith("the baseline: no series is called 'samples/count'"));
    }
    void largeWeightsStopAtTheLimit()
    {
        const std::string most = std::to_string(std::numeric_limits<std::int64_t>::max());
        const auto difference = compared("f -" + most + "\n", "f " + most + "\n");
        QCOMPARE(difference->whole().delta(), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(scaledBy(std::numeric_limits<std::int64_t>::max(), 4),
                 std::numeric_limits<std::int64_t>::max());
        QCOMPARE(scaledBy(std::numeric_limits<std::int64_t>::min(), 4),
                 std::numeric_limits<std::int64_t>::min());
    }
    void thereIsRoomForBothSidesOfEachNode()
    {
        const auto difference = compared("a;b 10\na;gone 4\n", "a;b 12\na;new 3\n");
        const auto both = treeOfBothSides(*difference, {});
        QCOMPARE(both->nodeCount(), difference->tree->nodeCount());
        QCOMPARE(both->total(TreeShape::kRoot), std::int64_t(29));
        for (std::size_t i = 0; i < both->nodeCount(); ++i) {
            const Change &total = difference->total[i];
            QCOMPARE(both->total(NodeId(i)), total.base + total.current);
            QVERIFY(both->entryOf(NodeId(i)) == difference->tree->entryOf(NodeId(i)));
        }
    }
    void rowsAreArrangedAsAsked()
    {
        const auto difference = compared("a 100\nB 50\nc 10\n", "a 101\nB 200\nd 30\n");
        const auto table = differenceTable(difference, DifferenceOrder::Self, 0, {});
        const auto arranged = [&](DifferenceArrangement arrangement, std::string_view filter = {}) {
            std::string names;
            const auto rows = arrangedDifferences(*table, filter, arrangement, {});
            for (const std::uint32_t row : *rows)
                names += table->rows[row].name;
            return names;
        };
        COMPARE_TEXT(arranged({}), "Bdca");
        COMPARE_TEXT(arranged({.isDescending = false}), "acdB");
        COMPARE_TEXT(arranged({.key = DifferenceKey::Growth}), "dBca");
        COMPARE_TEXT(arranged({.key = DifferenceKey::Base}), "aBcd");
        COMPARE_TEXT(arranged({.key = DifferenceKey::Name, .isDescending = false}), "Bacd");
        COMPARE_TEXT(arranged({.key = DifferenceKey::Verdict, .hidesNoise = true}), "Bd");
        COMPARE_TEXT(arranged({}, "b"), "B");
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!arrangedDifferences(*table, {}, {}, stop.get_token()));
    }
    void aStoppedComparisonHasNoResult()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto snapshot = snapshotOf("f 1\n");
        QVERIFY(
            DifferenceEvaluator().evaluate({snapshot, {}}, {snapshot, {}}, {}, stop.get_token()).value() ==
            nullptr);
    }
    void differencesAreThoseOfAnIndependentComputation()
    {
        QVERIFY(rc::check([] {
            const Profile base = randomProfile();
            const Profile current = randomProfile();
            RC_ASSERT(rowsOf(compared(textOf(base), textOf(current))) == expectedRows(base, current));
        }));
    }
    void aProfileDoesNotDifferFromItself()
    {
        QVERIFY(rc::check([] {
            const std::string profile = textOf(randomProfile());
            const auto normalisation = *rc::gen::element(Normalisation::None, Normalisation::Total);
            const auto difference = compared(profile, profile, "", normalisation);
            for (const Change &change : difference->total)
                RC_ASSERT(change.delta() == 0 && !change.isSignificant());
            RC_ASSERT(difference->tree->extent(TreeShape::kRoot) == 0);
        }));
    }
    void swappedSidesDifferByTheOpposite()
    {
        QVERIFY(rc::check([] {
            const std::string a = textOf(randomProfile());
            const std::string b = textOf(randomProfile());
            const auto forward = rowsOf(compared(a, b));
            const auto backward = rowsOf(compared(b, a));
            RC_ASSERT(forward.size() == backward.size());
            for (const auto &[name, row] : forward) {
                const Expected &other = backward.at(name);
                RC_ASSERT(other ==
                          (Expected{row.selfCurrent, row.selfBase, row.totalCurrent, row.totalBase}));
            }
            RC_ASSERT(compared(a, b)->whole().z() == -compared(b, a)->whole().z());
        }));
    }
};

QTEST_GUILESS_MAIN(TestDifference)
#include "tst_difference.moc"
