#include "model/lens/lens_text.h"
#include "model/views/chart_layout.h"
#include "model/views/time_chart.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace hearth;
using namespace hearth::test;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

std::shared_ptr<const TimeChart> charted(std::string_view profile, std::string_view lens = {},
                                         std::string key = "thread")
{
    const auto chart = timeChartOf(snapshotOf(profile), *parseLens(lens), {std::move(key)}, {});
    if (!chart)
        qWarning("%s", chart.error().message.c_str());
    return *chart;
}

/// "LEVEL BEGIN..END NAME", a line a box; "~": narrow, "w": waiting.
std::string boxesText(const TimeChart &chart, const StackLane &lane, double pixel = 1, bool leaf = false)
{
    std::vector<ChartBox> boxes;
    layOutLane(chart, lane, chart.all, pixel, leaf, boxes);
    std::string text;
    for (const ChartBox &box : boxes) {
        text += std::to_string(box.level) + ' ' + std::to_string(box.begin) + ".." + std::to_string(box.end) +
                ' ';
        text += box.isNarrow ? "~" : "";
        text += box.isWaiting ? "w " : "";
        text += std::string(chart.entry(box.node).name) + '\n';
    }
    return text;
}

std::string lanesText(const TimeChart &chart)
{
    std::string text;
    for (const ChartLane &lane : chart.lanes)
        text +=
            lane.name + ' ' + std::to_string(lane.weight) + ' ' + std::to_string(lane.stacks.size()) + '\n';
    return text;
}

/// Stacks over a tree of few names, with gaps, waits and repetitions.
struct RandomLane {
    ChartTree tree;
    StackLane lane{{}, tree};
};

RandomLane randomLane()
{
    const auto count = *rc::gen::inRange<std::size_t>(1, 400);
    std::vector<ShapeNode> nodes{{NodeId::none(), EntryId::none()}};
    const auto nodeCount = *rc::gen::inRange<std::size_t>(1, 40);
    for (std::size_t node = 1; node <= nodeCount; ++node)
        nodes.push_back({NodeId(*rc::gen::inRange<std::size_t>(0, node)), EntryId(node % 5)});
    const ChartTree tree(nodes);
    std::vector<Stretch> stretches;
    std::int64_t time = 0;
    NodeId node;
    for (std::size_t i = 0; i < count; ++i) {
        const int what = *rc::gen::inRange(0, 10);
        time += what == 0 ? 100 : 0;
        if (what > 3)
            node = NodeId(*rc::gen::inRange<std::size_t>(0, nodes.size()));
        stretches.push_back({time, time + 10, node, what == 1});
        time += *rc::gen::element<std::int64_t>(10, 10, 10, 4, 13);
    }
    return {tree, StackLane(std::move(stretches), tree)};
}

/// Whether two neighbours are in one box of a level.
bool areJoined(const RandomLane &random, std::size_t index, std::uint32_t level)
{
    const StackLane &lane = random.lane;
    if (index == 0 || index >= lane.size() || lane[index - 1].end < lane[index].begin ||
        lane.levelsOf(index) < level || lane.levelsOf(index - 1) < level)
        return false;
    const auto stackLevels = [&](std::size_t i) { return random.tree.levels[lane[i].node.value]; };
    if (stackLevels(index) >= level && stackLevels(index - 1) >= level)
        return random.tree.at(lane[index].node, level) == random.tree.at(lane[index - 1].node, level);
    return lane[index].node == lane[index - 1].node && lane[index].isWaiting && lane[index - 1].isWaiting;
}

} // namespace

class TestTimeChart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSampleLastsAsLongAsItStandsFor()
    {
        const auto chart = charted("period: cpu/nanoseconds 10\n"
                                   "main;parse 1 | @100\n"
                                   "main;parse 1 | @110\n"
                                   "main;draw 1 | @120\n"
                                   "main;draw 1 | @200\n",
                                   {}, "");
        COMPARE_TEXT(boxesText(*chart, chart->lanes[0].stacks), "1 100..130 main\n"
                                                                "1 200..210 main\n"
                                                                "2 100..120 parse\n"
                                                                "2 120..130 draw\n"
                                                                "2 200..210 draw\n");
        COMPARE_TEXT(boxesText(*chart, chart->lanes[0].stacks, 1, true), "1 100..110 parse\n"
                                                                         "1 110..120 parse\n"
                                                                         "1 120..130 draw\n"
                                                                         "1 200..210 draw\n");
    }

    void aSamplerThatIsLateLeavesNoSlit()
    {
        const auto chart =
            charted("period: cpu/nanoseconds 10\nmain 1 | @100\nmain 1 | @114\nmain 1 | @130\n", {}, "");
        COMPARE_TEXT(boxesText(*chart, chart->lanes[0].stacks), "1 100..124 main\n1 130..140 main\n");
    }

    void waitingIsALevelOfItsOwnAndWasMeasuredAtItsEnd()
    {
        Store store;
        store.append(batchOf("period: cpu/nanoseconds 10\nmain;read 1 | @100\nmain 1 | @160\n"));
        store.append(batchOf("series: off_cpu/nanoseconds\nmain;read 50 | @160\n"));
        const auto chart = *timeChartOf(store.publish(), *parseLens("series:cpu"), {""}, {});
        COMPARE_TEXT(boxesText(*chart, chart->lanes[0].stacks), "1 100..170 main\n"
                                                                "2 100..160 read\n"
                                                                "3 110..160 w read\n");
        const auto waits = *timeChartOf(store.publish(), *parseLens("series:off_cpu"), {""}, {});
        COMPARE_TEXT(boxesText(*waits, waits->lanes[0].stacks), "1 110..160 main\n"
                                                                "2 110..160 read\n"
                                                                "3 110..160 w read\n");
    }

    void lanesAreThreadsTheHeaviestFirst()
    {
        const auto chart =
            charted("a 1 | thread=one @10\nb 3 | thread=two @10\nc 2 | thread=one @30\nd 1 | @5\n");
        COMPARE_TEXT(lanesText(*chart), "one 3 2\ntwo 3 1\n 1 1\n");
        COMPARE_TEXT(lanesText(*charted("a 1 | thread=w process=x @1\na 2 | thread=w process=y @1\n")),
                     "w · y 2 1\nw · x 1 1\n");
    }

    void lanesMayBeRequests()
    {
        const auto chart = charted("a 1 | ~1.1 @10\nb 1 | ~1.2 @20\nc 5 | ~2.1 @10\nd 9 | @10\n", {},
                                   std::string(TimeChartRequest::kByTrace));
        COMPARE_TEXT(lanesText(*chart),
                     "00000000000000000000000000000002 5 1\n00000000000000000000000000000001 2 2\n");
    }

    void theLensDecidesWhatIsShownButNotWhen()
    {
        const auto profile = "main;a 1 | thread=one @1000000000\nmain;b 1 | thread=two @2000000000\n";
        COMPARE_TEXT(lanesText(*charted(profile, "@thread=one")), "one 1 1\n");
        COMPARE_TEXT(lanesText(*charted(profile, "time=0s..0.5s")), "one 1 1\ntwo 1 1\n");
        const auto chart = charted(profile, "hide:main", "");
        COMPARE_TEXT(boxesText(*chart, chart->lanes[0].stacks), "1 1000000000..2000000000 a\n"
                                                                "1 2000000000..3000000000 b\n");
    }

    void samplesWithoutTimesAreCounted()
    {
        const auto chart = charted("a 1\nb 2\n");
        QVERIFY(chart->lanes.empty());
        QCOMPARE(chart->untimed, std::uint64_t(2));
    }

    void timesAtTheEndsOfTheWorldDoNotOverflow()
    {
        const auto chart = charted("period: cpu/nanoseconds 9000000000000000000\n"
                                   "a 5 | @-9223372036854775808\n"
                                   "b 5 | @9223372036854775807\n",
                                   {}, "");
        QVERIFY(chart->all.begin < chart->all.end);
        QVERIFY(!boxesText(*chart, chart->lanes[0].stacks, 1e15).empty());
    }

    void lanesBeyondTheLimitAreCounted()
    {
        const auto snapshot = snapshotOf("a 1 | thread=one @1\na 2 | thread=two @1\na 3 | thread=three @1\n");
        const auto chart = timeChartOf(snapshot, {}, {"thread", 2}, {});
        COMPARE_TEXT(lanesText(**chart), "three 3 1\ntwo 2 1\n");
        QCOMPARE((*chart)->hidden, std::uint64_t(1));
    }

    void boxesEndWhereNeighboursDiffer()
    {
        const bool isTrue = rc::check("ends and begins of boxes are those of a plain walk", [] {
            const RandomLane random = randomLane();
            const auto index = *rc::gen::inRange<std::size_t>(0, random.lane.size());
            const auto level = *rc::gen::inRange<std::uint32_t>(1, random.lane.levelsOf(index) + 2);
            RC_PRE(level <= random.lane.levelsOf(index));
            std::size_t end = index + 1;
            while (areJoined(random, end, level))
                ++end;
            std::size_t begin = index;
            while (areJoined(random, begin, level))
                --begin;
            RC_ASSERT(random.lane.endOfBox(index, level) == end);
            RC_ASSERT(random.lane.beginOfBox(index, level) == begin);
            std::size_t deep = index;
            while (deep < random.lane.size() && random.lane.levelsOf(deep) < level + 1)
                ++deep;
            RC_ASSERT(random.lane.nextReaching(index, level + 1) == deep);
        });
        QVERIFY(isTrue);
    }

    void nothingIsLostInPixels()
    {
        static constexpr std::uint32_t kNarrow = 1000;
        const bool isTrue = rc::check("each stretch is in a box of its own or in a narrow one", [] {
            RandomLane random = randomLane();
            TimeChart chart;
            chart.tree = random.tree;
            chart.all = {random.lane[0].begin, random.lane[random.lane.size() - 1].end};
            const auto pixel = *rc::gen::element(1.0, 7.0, 15.0, 40.0, 333.0);
            const auto leaf = *rc::gen::arbitrary<bool>();
            std::vector<ChartBox> boxes;
            layOutLane(chart, random.lane, chart.all, pixel, leaf, boxes);
            std::vector<std::vector<std::uint32_t>> levels(random.lane.size());
            for (const ChartBox &box : boxes)
                for (std::uint32_t i = box.first; i < box.last; ++i) {
                    const std::uint32_t level = leaf ? random.lane.levelsOf(i) : box.level;
                    RC_ASSERT(box.isNarrow || static_cast<double>(box.end - box.begin) >= pixel);
                    if (box.isNarrow)
                        levels[i].push_back(kNarrow);
                    else if (!box.isWaiting)
                        RC_ASSERT(random.tree.at(random.lane[i].node, level) == box.node);
                    levels[i].push_back(level);
                }
            for (std::size_t i = 0; i < random.lane.size(); ++i) {
                const bool isNarrow = std::ranges::count(levels[i], kNarrow) == 1;
                RC_ASSERT(isNarrow || levels[i].size() == (leaf ? 1U : random.lane.levelsOf(i)));
            }
        });
        QVERIFY(isTrue);
    }
};

QTEST_APPLESS_MAIN(TestTimeChart)
#include "tst_time_chart.moc"
