#include "model/lens/lens_text.h"
#include "model/views/activity.h"
#include "model/views/arranged_rows.h"
#include "model/views/binary_table.h"
#include "model/views/evaluator.h"
#include "model/views/flame_layout.h"
#include "model/views/neighbours.h"
#include "model/views/symbol_coverage.h"
#include "model/views/time_range.h"
#include "model/views/timeline.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <cmath>
#include <numeric>

using namespace hearth;
using test::snapshotOf;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

std::shared_ptr<const Evaluation> evaluated(const std::shared_ptr<const Snapshot> &snapshot)
{
    return Evaluator().evaluate(snapshot, {}).value();
}

std::string rowsOf(const FlameLayout &layout, const CallTree &tree)
{
    std::string text;
    for (const FlameRow &row : layout.rows) {
        for (const FlameBox &box : row) {
            text += std::string(tree.entries()[tree.entryOf(box.node)].name) + ' ' +
                    std::to_string(std::lround(box.left)) + '+' + std::to_string(std::lround(box.width));
            if (box.merged > 0)
                text += " x" + std::to_string(box.merged) + '/' + std::to_string(box.levels);
            text += "; ";
        }
        text += '\n';
    }
    return text;
}

std::string namesOf(const std::vector<Neighbour> &neighbours, const CallTree &tree)
{
    std::string text;
    for (const Neighbour &neighbour : neighbours)
        text +=
            std::string(tree.entries()[neighbour.entry].name) + ' ' + std::to_string(neighbour.total) + '\n';
    return text;
}

std::string randomProfile()
{
    const auto stacks = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::vector<int>>>(
        rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6)))));
    std::string text;
    for (const auto &stack : stacks) {
        for (std::size_t i = 0; i < stack.size(); ++i)
            text += (i == 0 ? "f" : ";f") + std::to_string(stack[i]);
        text += ' ' + std::to_string(*rc::gen::inRange(0, 1000)) + '\n';
    }
    return text;
}

/// A line a lane: its name and its weight, and its sums.
std::string lanesOf(const Activity &activity)
{
    std::string text;
    for (std::size_t i = 0; i < activity.lanes.size(); ++i) {
        const ActivityLane &lane = activity.lanes[i];
        text += std::string(lane.depth, ' ') + (lane.key.empty() ? "" : lane.key + '=') + lane.name + ' ' +
                std::to_string(lane.total) + ':';
        for (const std::int64_t sum : activity.timeline.lanes[i])
            text += ' ' + std::to_string(sum);
        text += '\n';
    }
    return text;
}

} // namespace

class TestViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void activityHasALaneForAllAndForTheHeaviestParts()
    {
        const auto snapshot =
            test::snapshotOf("f 1 | thread=a @10\nf 5 | thread=b @10\nf 2 | thread=c @19\n");
        const SeriesChoice series = chooseSeries(*snapshot, {}).value();
        const auto activity =
            activityOf(*snapshot, {}, {.series = series, .range = {}, .bins = 2, .mostLanes = 1, .open = {}},
                       {})
                .value();
        COMPARE_TEXT(lanesOf(activity), "all 8: 6 2\n thread=b 5: 5 0\n");
        QCOMPARE(activity.hidden, std::size_t(2));
        QVERIFY(!activityOf(*test::snapshotOf("f 1\n"), {},
                            {.series = series, .range = {}, .bins = 2, .open = {}}, {}));
    }
    void anOpenLaneShowsItsThreads()
    {
        const auto snapshot =
            test::snapshotOf("f 1 | process=p thread=a @10\nf 5 | process=p thread=b @10\n"
                             "f 2 | process=q thread=c @19\nf 3 | process=p thread=b @15\n");
        const ActivityRequest request{.series = chooseSeries(*snapshot, {}).value(),
                                      .range = TimeRange{10, 17},
                                      .bins = 2,
                                      .mostLanes = 9,
                                      .open = {"p"}};
        const auto activity = activityOf(*snapshot, parseLens("time=0s..1ns").value(), request, {}).value();
        COMPARE_TEXT(lanesOf(activity),
                     "all 11: 6 3\n process=p 9: 6 3\n  thread=b 8: 5 3\n  thread=a 1: 1 0\n"
                     " process=q 2: 0 0\n");
        QVERIFY(activity.lanes[1].isOpen && activity.lanes[1].hasParts && !activity.lanes[4].hasParts);
        QCOMPARE(activity.all.end, std::int64_t(19));
        const auto narrowed = activityOf(*snapshot, parseLens("@thread=a").value(), request, {}).value();
        COMPARE_TEXT(lanesOf(narrowed), QByteArray::fromStdString(lanesOf(activity)));
        QVERIFY(!narrowed.lanes[1].isLeftOut && narrowed.lanes[2].isLeftOut && !narrowed.lanes[3].isLeftOut &&
                narrowed.lanes[4].isLeftOut);
    }
    void rowsAreFilteredAndOrderedBySeveralKeys()
    {
        const auto snapshot =
            test::snapshotOf("Zeta@b.c[/l/x.so] 3\nalpha@b.c 1\nalphabetical@a.c 3\nalphabet@a.c 2\n");
        const auto evaluation = Evaluator().evaluate(snapshot, {}).value();
        const auto table = topTable(*evaluation->tree, TopOrder::Self, 0, 0, {}).value();
        const auto arranged = [&](std::string_view filter, std::vector<RowOrder> orders) {
            std::string names;
            const auto rows = arrangedRows(table, filter, orders, {});
            for (const std::uint32_t row : *rows)
                names += std::string(table.rows[row].name) + ' ';
            return names;
        };
        COMPARE_TEXT(arranged("", {{RowKey::Name, false}}), "Zeta alpha alphabet alphabetical ");
        COMPARE_TEXT(arranged("", {{RowKey::Name, true}}), "alphabetical alphabet alpha Zeta ");
        COMPARE_TEXT(arranged("", {{RowKey::Self, true}, {RowKey::Name, false}}),
                     "Zeta alphabetical alphabet alpha ");
        COMPARE_TEXT(arranged("", {{RowKey::Place, false}, {RowKey::Name, true}}),
                     "alphabetical alphabet alpha Zeta ");
        COMPARE_TEXT(arranged("ALPHA a.c", {{RowKey::Self, false}}), "alphabet alphabetical ");
        COMPARE_TEXT(arranged("x.so", {}), "Zeta ");
    }
    void anyNamesAreOrderedAsTheyCompare()
    {
        QVERIFY(rc::check("order of names", [](const std::vector<std::string> &names) {
            TopTable table{{}, {}, EntriesView({}, nullptr)};
            for (const std::string &name : names)
                table.rows.push_back({.name = name, .file = {}, .binary = {}});
            const bool isDescending = *rc::gen::arbitrary<bool>();
            const std::vector<RowOrder> orders{{RowKey::Name, isDescending}};
            std::vector<std::uint32_t> expected(names.size());
            std::iota(expected.begin(), expected.end(), 0U);
            std::ranges::stable_sort(expected, [&](std::uint32_t a, std::uint32_t b) {
                return isDescending ? names[a] > names[b] : names[a] < names[b];
            });
            std::vector<std::string> wanted;
            std::vector<std::string> got;
            for (const std::uint32_t row : expected)
                wanted.push_back(names[row]);
            const auto rows = arrangedRows(table, "", orders, {});
            for (const std::uint32_t row : *rows)
                got.push_back(names[row]);
            RC_ASSERT(got == wanted);
            const NameRanks ranks = *nameRanksOf(table, {});
            RC_ASSERT(arrangedRows(table, "", orders, {}, &ranks) == rows);
        }));
    }
    void aPivotShowsCalleesAndInvertedItsCallers()
    {
        const auto snapshot =
            test::snapshotOf("main;a;leaf;x 3\nmain;b;leaf 2\nmain;leaf;c;leaf;y 1\nmain;c 4\n");
        COMPARE_TEXT(test::tree(snapshot, "pivot:leaf"),
                     "leaf 6 2\n  x 3 3\n  c 1 0\n    leaf 1 0\n      y 1 1\n");
        COMPARE_TEXT(test::invertedTree(snapshot, "pivot:leaf inverted"),
                     "leaf 6 0\n  a 3 0\n    main 3 3\n  b 2 0\n    main 2 2\n  main 1 1\n");
    }
    void theBinaryWhoseSymbolsWouldHelpMostIsTold()
    {
        Store store;
        store.append(test::batchOf("main;[/l/libc.so] 1\nmain;[/l/libdark.so] 2\nmain;f 9\n"));
        store.apply({.frames = {},
                     .binaries = {{.binary = BinaryId(1),
                                   .name = "libdark.so",
                                   .source = SymbolSource::None,
                                   .file = {},
                                   .problem = "it is not here",
                                   .advice = "add it"}}});
        const auto snapshot = store.publish();
        const auto coverage = symbolCoverageOf(*evaluated(snapshot)->tree, {});
        QCOMPARE(coverage->named, 0.75);
        COMPARE_TEXT(std::string(coverage->worst), "/l/libdark.so");
        COMPARE_TEXT(std::string(adviceFor(coverage->worst, *snapshot)), "add it");
        COMPARE_TEXT(std::string(adviceFor("/l/libc.so", *snapshot)), "");
    }
    void symbolsCoverWhatRanInFunctionsWithNames()
    {
        const auto shareOf = [](const char *profile) {
            return symbolCoverageOf(*Evaluator().evaluate(test::snapshotOf(profile), {}).value()->tree, {})
                ->named;
        };
        QCOMPARE(shareOf("main;f 3\nmain;[/l/libc.so] 1\n"), 0.75);
        QCOMPARE(shareOf("[/l/libc.so];f 1\n"), 1.0);
        QCOMPARE(shareOf("f;? 1\nf;g[/l/libc.so] 1\n"), 0.5);
        QCOMPARE(shareOf(""), 1.0);
    }
    void nodesThatAreAlwaysInlinedAreMarked()
    {
        const auto evaluation =
            Evaluator().evaluate(test::snapshotOf("a>b>c 1\na;d 2\na>d 3\na>e;f 1\n"), {}).value();
        const CallTree &tree = *evaluation->tree;
        std::string inlined;
        for (std::size_t node = 1; node < tree.nodeCount(); ++node)
            if (tree.isInlined(NodeId(node)))
                inlined += tree.entries()[tree.entryOf(NodeId(node))].name;
        COMPARE_TEXT(inlined, "bce"); // d was called, too
    }
    void aPivotInAnInlinedFunctionLeavesOutWhatIsInlinedIntoIt()
    {
        const auto snapshot = test::snapshotOf("main;outer>middle>inner 3\n");
        COMPARE_TEXT(test::invertedTree(snapshot, "pivot:middle inverted"),
                     "middle 3 0\n  outer 3 0\n    main 3 3\n");
    }
    void groupsStayAboveWhatIsInverted()
    {
        const auto snapshot = test::snapshotOf(
            "main;a;leaf 3 | thread=w\nmain;b;leaf 2 | thread=v\nmain;a 1 | thread=w\n. 5 | thread=v\n");
        COMPARE_TEXT(test::invertedTree(snapshot, "by:thread inverted"),
                     "v 7 5\n  leaf 2 0\n    b 2 0\n      main 2 2\n"
                     "w 4 0\n  leaf 3 0\n    a 3 0\n      main 3 3\n  a 1 0\n    main 1 1\n");
    }
    void boxesAreAsWideAsTheirShareAndTheHeaviestComesFirst()
    {
        const auto evaluation = evaluated(snapshotOf("main;a 30\nmain;b;c 60\nmain 10\n"));
        const auto layout = layOutFlames(*evaluation->tree, NodeId(), 100, FlameOrder::HeaviestFirst, {});
        COMPARE_TEXT(rowsOf(*layout, *evaluation->tree), "main 0+100; \nb 0+60; a 60+30; \nc 0+60; \n");
        const auto byName = layOutFlames(*evaluation->tree, NodeId(), 100, FlameOrder::ByName, {});
        COMPARE_TEXT(rowsOf(*byName, *evaluation->tree), "main 0+100; \na 0+30; b 30+60; \nc 30+60; \n");
    }
    void narrowNeighboursBecomeOneBox()
    {
        std::string text = "main;big 9000\n";
        for (int i = 0; i < 10; ++i)
            text += "main;s" + std::to_string(i) + ";deep;deeper 100\n";
        const auto evaluation = evaluated(snapshotOf(text));
        const auto layout = layOutFlames(*evaluation->tree, NodeId(), 50, FlameOrder::HeaviestFirst, {});
        COMPARE_TEXT(rowsOf(*layout, *evaluation->tree), "main 0+50; \nbig 0+45; s0 45+5 x10/3; \n");
        QCOMPARE(layout->rows[1][1].total, std::int64_t(1000));
    }
    void aFocusedNodeFillsTheWidth()
    {
        const auto evaluation = evaluated(snapshotOf("main;a;b 30\nmain;c 60\n"));
        const auto all = layOutFlames(*evaluation->tree, NodeId(), 90, FlameOrder::HeaviestFirst, {});
        const FlameBox *box = all->at(1, 75);
        QVERIFY(box != nullptr);
        const auto layout = layOutFlames(*evaluation->tree, box->node, 100, FlameOrder::HeaviestFirst, {});
        COMPARE_TEXT(rowsOf(*layout, *evaluation->tree), "a 0+100; \nb 0+100; \n");
    }
    void boxesStayInsideTheirParentsAndNothingIsDropped()
    {
        const bool holds = rc::check("layout", [] {
            const auto evaluation = evaluated(snapshotOf(randomProfile()));
            const CallTree &tree = *evaluation->tree;
            const double width = *rc::gen::inRange(1, 2000);
            const auto layout = layOutFlames(tree, NodeId(), width, FlameOrder::HeaviestFirst, {});
            double childrenOfRoot = 0;
            for (const NodeId child : tree.children(NodeId()))
                childrenOfRoot += tree.extent(child);
            for (std::size_t row = 0; row < layout->rows.size(); ++row) {
                double right = 0;
                double sum = 0;
                for (const FlameBox &box : layout->rows[row]) {
                    RC_ASSERT(box.left >= right - 1e-6);
                    right = box.right();
                    sum += box.width;
                    RC_ASSERT(layout->at(row, box.left + box.width / 2) == &box);
                    if (row > 0) {
                        const FlameBox *above = layout->at(row - 1, box.left + box.width / 2);
                        RC_ASSERT(above != nullptr);
                        RC_ASSERT(box.right() <= above->right() + 1e-6);
                    }
                }
                RC_ASSERT(right <= width + 1e-6);
                if (row == 0 && tree.extent(NodeId()) > 0)
                    RC_ASSERT(std::abs(sum - width * childrenOfRoot / tree.extent(NodeId())) <
                              1e-6 * width + 1e-9);
            }
        });
        QVERIFY(holds);
    }
    void totalsAreSelfPlusChildren()
    {
        const bool holds = rc::check("call tree", [] {
            const auto evaluation = evaluated(snapshotOf(randomProfile()));
            const CallTree &tree = *evaluation->tree;
            for (std::size_t i = 0; i < tree.nodeCount(); ++i) {
                std::int64_t sum = tree.self(NodeId(i));
                for (const NodeId child : tree.children(NodeId(i))) {
                    RC_ASSERT(tree.parent(child) == NodeId(i));
                    sum += tree.total(child);
                }
                RC_ASSERT(sum == tree.total(NodeId(i)));
            }
            RC_ASSERT(tree.total(NodeId()) == evaluation->total);
        });
        QVERIFY(holds);
    }
    void callersAndCalleesCountEachStackOnce()
    {
        const auto evaluation = evaluated(snapshotOf("main;f;a;f;b 1\nmain;f;a;f;a 2\nother;f 4\n"));
        const auto entry = entryNamed(*evaluation->tree, "f");
        const auto neighbours = neighboursOf(*evaluation->tree, *entry, {});
        QCOMPARE(neighbours->self, std::int64_t(4));
        QCOMPARE(neighbours->total, std::int64_t(7));
        COMPARE_TEXT(namesOf(neighbours->callers, *evaluation->tree), "other 4\na 3\nmain 3\n");
        COMPARE_TEXT(namesOf(neighbours->callees, *evaluation->tree), "a 3\nb 1\n");
    }
    void theTimelineSumsEachPartOfTheRangePerLane()
    {
        const auto snapshot =
            snapshotOf("a 1 | t=x @1000\na 2 | t=y @1500\na 4 | t=x @1999\na 8 | t=x @1000\n");
        SampleSelection selection;
        selection.series = chooseSeries(*snapshot, {}).value();
        const std::vector<std::uint32_t> lanes{0, 0, 1, 0, 0};
        const auto timeline = timelineOf(*snapshot, selection, *timeSpanOf(*snapshot), 2, lanes, 2, {});
        QCOMPARE(timeline->lanes, (std::vector<std::vector<std::int64_t>>{{9, 4}, {0, 2}}));
        QCOMPARE(timeline->beginOf(1), std::int64_t(1500));
    }
    void binariesSayWhyFramesHaveNoNames()
    {
        Store store;
        Batch batch = test::batchOf("main;[libdark.so] 6\nmain;[libhalf.so] 3\nmain;made 2\nmain 1\n");
        batch.frames[3] = {.address = 4096, .kind = batch.frames[3].kind}; // neither a name nor a binary
        store.append(std::move(batch));
        store.apply({.frames = {},
                     .binaries = {{.binary = BinaryId(1),
                                   .name = "libhalf.so",
                                   .source = SymbolSource::DebugInformation,
                                   .file = "libhalf.debug",
                                   .problem = {},
                                   .advice = {}}}});
        Evaluator evaluator;
        const auto table = binaryTable(evaluator, store.publish(), {}, {});
        std::string text;
        for (const BinaryRow &row : table->rows)
            text += std::to_string(row.nameless) + ' ' + std::string(nameOf(row)) + ": " +
                    std::string(problemOf(row).substr(0, 33)) + '\n';
        COMPARE_TEXT(text, "6 libdark.so: nobody looked for its symbols\n"
                           "3 libhalf.so: no function is known at the addre\n"
                           "2 memory without a file: the sender told no file for these\n");
    }
    void framesOfInterpretedCodeNeedNoFile()
    {
        Evaluator evaluator;
        QVERIFY(binaryTable(evaluator, snapshotOf("main;eval 3\n"), {}, {})->rows.empty());
    }
    void samplesWithoutTimesAreCountedNotPlaced()
    {
        const auto snapshot = snapshotOf("a 1\nb 2\n");
        SampleSelection selection;
        selection.series = chooseSeries(*snapshot, {}).value();
        const std::vector<std::uint32_t> lanes{0};
        const auto timeline = timelineOf(*snapshot, selection, {0, 100}, 2, lanes, 1, {});
        QCOMPARE(timeline->untimed, std::uint64_t(2));
    }
};

QTEST_GUILESS_MAIN(TestViews)
#include "tst_views.moc"
