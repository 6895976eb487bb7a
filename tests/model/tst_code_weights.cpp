#include "model/lens/lens_text.h"
#include "model/views/code_weights.h"
#include "model/views/top_table.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <map>
#include <set>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

/// A profile as text whose lines are numbered: the n-th of them is line n % `most` + 1 of its function.
Batch linedBatch(const std::string &text, std::int64_t most)
{
    Batch batch = test::batchOf(text);
    for (std::size_t i = 0; i < batch.lines.size(); ++i)
        batch.lines[i].line = static_cast<std::int64_t>(i) % most + 1;
    return batch;
}

std::shared_ptr<const Snapshot> snapshotOf(Batch batch)
{
    Store store;
    store.append(std::move(batch));
    return store.publish();
}

std::shared_ptr<const CodeWeights> weighed(const std::shared_ptr<const Snapshot> &snapshot,
                                           std::string_view lens = {})
{
    return CodeWeigher().weigh(snapshot, parseLens(lens).value()).value();
}

std::string text(const CodeWeight &weight)
{
    return std::to_string(weight.self) + ' ' + std::to_string(weight.total);
}

/// "a.c:3 self total", a line each.
std::string linesOf(const CodeWeights &weights, std::string_view function)
{
    std::string lines;
    for (const LineWeight &line : weights.linesOf(function))
        lines += std::string(line.file) + ':' + std::to_string(line.line) + ' ' +
                 text({line.self, line.total}) + '\n';
    return lines;
}

/// "0+0x1001 self total", with '~' where it is inlined.
std::string placesOf(const CodeWeights &weights, std::string_view function)
{
    std::string lines;
    for (const FunctionPlace &place : weights.placesOf(function))
        lines += std::to_string(place.place.binary.value) + '+' +
                 QByteArray::number(qulonglong(place.place.offset), 16).toStdString() +
                 (place.isInlined ? "~ " : " ") + text(place.place.weight) + '\n';
    return lines;
}

std::string randomProfile()
{
    const auto frame = rc::gen::apply(
        [](int outer, int inner, bool isInlined, int binary) {
            return "f" + std::to_string(outer) + "@a.c" +
                   (isInlined ? ">f" + std::to_string(inner) + "@b.c" : "") + "[/l" + std::to_string(binary) +
                   "]";
        },
        rc::gen::inRange(0, 4), rc::gen::inRange(0, 4), rc::gen::arbitrary<bool>(), rc::gen::inRange(0, 2));
    const auto stacks = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::vector<std::string>>>(
        rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(frame))));
    std::string profile;
    for (const auto &stack : stacks) {
        for (std::size_t i = 0; i < stack.size(); ++i)
            profile += (i == 0 ? "" : ";") + stack[i];
        profile += ' ' + std::to_string(*rc::gen::inRange(1, 1000)) + '\n';
    }
    return profile;
}

/// Calls `take(stack, weight)` for each sample, its frames the innermost first.
template <class Take>
void forEachSample(const Snapshot &snapshot, Take take)
{
    for (const SampleTable &table : snapshot.tables)
        for (const auto &chunk : table.chunks)
            for (std::size_t row = 0; row < chunk->rows(); ++row) {
                std::vector<FrameId> frames;
                for (StackId stack(chunk->stacks()[row]); stack != StackId();
                     stack = snapshot.stacks[stack.value].parent)
                    frames.push_back(snapshot.stacks[stack.value].frame);
                take(frames, static_cast<std::int64_t>(chunk->values(0)[row]));
            }
}

/// What the weights ought to be, sample by sample.
struct Expected {
    using LineKey = std::tuple<std::string_view, std::string_view, std::int64_t>;
    std::map<LineKey, CodeWeight> lines;
    std::map<std::pair<BinaryId, std::uint64_t>, CodeWeight> places;
    std::map<std::string_view, CodeWeight> functions;

    explicit Expected(const Snapshot &snapshot)
    {
        forEachSample(snapshot, [&](const std::vector<FrameId> &frames, std::int64_t value) {
            std::set<LineKey> seenLines;
            std::set<std::pair<BinaryId, std::uint64_t>> seenPlaces;
            std::set<std::string_view> seenFunctions;
            const auto add = [&](auto &sums, auto &seen, const auto &key, bool isSelf) {
                sums[key].self += isSelf ? value : 0;
                sums[key].total += seen.insert(key).second ? value : 0;
            };
            for (const FrameId frame : frames) {
                const bool isLeaf = frame == frames.front() && seenPlaces.empty();
                add(places, seenPlaces,
                    std::pair(*snapshot.binaryOf(frame), snapshot.frames[frame.value].address), isLeaf);
                bool isInnermost = isLeaf;
                for (const Line &line : snapshot.linesOf(frame)) {
                    const Function &function = snapshot.functions[line.function.value];
                    const std::string_view name = snapshot.text(function.name);
                    add(lines, seenLines, LineKey(name, snapshot.text(function.file), line.line),
                        isInnermost);
                    add(functions, seenFunctions, name, isInnermost);
                    isInnermost = false;
                }
            }
        });
    }
};

} // namespace

/// What lines and places of functions weigh.
class TestCodeWeights : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLineIsThatOfTheFunctionWhoseCodeItIs()
    {
        // Lines: inner 1, outer 2, main 3; what is inlined comes first in a frame.
        const auto weights = weighed(snapshotOf(linedBatch("main@m.c[/p];outer@o.c>inner@i.c[/p] 5\n"
                                                           "main@m.c[/p] 2\n",
                                                           9)));
        COMPARE_TEXT(linesOf(*weights, "main"), "m.c:1 2 7\n");
        COMPARE_TEXT(linesOf(*weights, "inner"), "i.c:2 5 5\n");
        COMPARE_TEXT(linesOf(*weights, "outer"), "o.c:3 0 5\n");
        COMPARE_TEXT(text(weights->of("outer")), "0 5");
    }

    void aPlaceCountsOnceWhateverWasInlinedThere()
    {
        const auto weights = weighed(snapshotOf(linedBatch("main[/p];outer>inner[/p] 5\n", 9)));
        COMPARE_TEXT(placesOf(*weights, "inner"), "0+1001~ 5 5\n");
        COMPARE_TEXT(placesOf(*weights, "outer"), "0+1001 5 5\n");
        COMPARE_TEXT(placesOf(*weights, "main"), "0+1000 0 5\n");
    }

    void aRecursiveFunctionCountsOnceForAStack()
    {
        const auto weights = weighed(snapshotOf(linedBatch("f[/p];g[/p];f[/p] 3\n", 1)));
        COMPARE_TEXT(linesOf(*weights, "f"), ":1 3 3\n");
        COMPARE_TEXT(placesOf(*weights, "f"), "0+1000 3 3\n");
        COMPARE_TEXT(text(weights->of("f")), "3 3");
    }

    void theLensCounts()
    {
        const auto snapshot =
            snapshotOf(linedBatch("main[/p];f[/p] 3 | thread=a\nmain[/p];f[/p];g[/p] 5 | thread=b\n", 9));
        COMPARE_TEXT(placesOf(*weighed(snapshot), "f"), "0+1001 3 8\n");
        COMPARE_TEXT(placesOf(*weighed(snapshot, "@thread=b"), "f"), "0+1001 0 5\n");
        COMPARE_TEXT(placesOf(*weighed(snapshot, "hide:^g$"), "f"), "0+1001 8 8\n");
        COMPARE_TEXT(placesOf(*weighed(snapshot, "by:thread"), "f"), "0+1001 3 8\n");
        COMPARE_TEXT(placesOf(*weighed(snapshot, "-main"), "f"), "");
    }

    void framesWithoutNamesHavePlaces()
    {
        const auto weights = weighed(snapshotOf(linedBatch("main[/p];[/lib/x.so] 4\n", 9)));
        COMPARE_TEXT(placesOf(*weights, "[x.so]"), "1+1001 4 4\n");
        COMPARE_TEXT(linesOf(*weights, "[x.so]"), ":0 4 4\n");
    }

    void frameWithoutABinaryHasNoPlace()
    {
        const auto weights = weighed(snapshotOf(linedBatch("main;f 4\n", 9)));
        COMPARE_TEXT(placesOf(*weights, "f"), "");
        COMPARE_TEXT(linesOf(*weights, "f"), ":2 4 4\n");
    }

    void placesOfAPartOfABinaryAreFound()
    {
        const auto weights = weighed(snapshotOf(linedBatch("a[/p] 1\nb[/p] 2\nc[/q] 3\nd[/p] 4\n", 9)));
        const auto part = weights->placesIn(BinaryId(0), 0x1001, 0x1004);
        QCOMPARE(part.size(), std::size_t(2));
        QCOMPARE(part[0].weight.self, std::int64_t(2));
        QCOMPARE(part[1].offset, std::uint64_t(0x1003));
        QVERIFY(weights->placesIn(BinaryId(0), 0x1004, 0x1001).empty());
        QVERIFY(weights->placesIn(BinaryId(7), 0, ~std::uint64_t(0)).empty());
    }

    void whatWasWeighedIsRemembered()
    {
        const auto snapshot = snapshotOf(linedBatch("main[/p];f[/p] 3\n", 9));
        CodeWeigher weigher;
        const auto first = weigher.weigh(snapshot, {}).value();
        QCOMPARE(weigher.weigh(snapshot, {}).value().get(), first.get());
        QVERIFY(weigher.weigh(snapshot, parseLens("f").value()).value() != first);
        QVERIFY(!weigher.weigh(snapshot, parseLens("series:none").value()));
    }

    void weightsAreThoseOfTheSamplesOneByOne()
    {
        const bool holds = rc::check("sums by line, place and function", [] {
            const auto snapshot = snapshotOf(linedBatch(randomProfile(), *rc::gen::inRange(1, 5)));
            const auto weights = weighed(snapshot);
            const Expected expected(*snapshot);
            std::size_t lines = 0;
            for (const auto &[name, weight] : expected.functions) {
                RC_ASSERT(weights->of(name) == weight);
                for (const LineWeight &line : weights->linesOf(name)) {
                    const auto known = expected.lines.find({name, line.file, line.line});
                    RC_ASSERT(known != expected.lines.end());
                    RC_ASSERT(known->second == (CodeWeight{line.self, line.total}));
                    ++lines;
                }
                for (const FunctionPlace &place : weights->placesOf(name))
                    RC_ASSERT(expected.places.at({place.place.binary, place.place.offset}) ==
                              place.place.weight);
            }
            RC_ASSERT(lines == expected.lines.size());
            std::size_t places = 0;
            for (std::size_t binary = 0; binary < snapshot->binaries.size(); ++binary)
                places += weights->placesIn(BinaryId(binary), 0, ~std::uint64_t(0)).size();
            RC_ASSERT(places == expected.places.size());
        });
        QVERIFY(holds);
    }
};

QTEST_GUILESS_MAIN(TestCodeWeights)
#include "tst_code_weights.moc"
