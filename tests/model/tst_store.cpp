#include "model/store/packed_column.h"
#include "model/store/stack_tree.h"
#include "model/views/evaluator.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <atomic>
#include <thread>

using namespace hearth;
using test::batchOf;
using test::dump;
using test::snapshotOf;
using test::top;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

class TestStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void packedColumnsGiveBackEveryValue()
    {
        const bool holds = rc::check("pack, then read", [] {
            const auto values = *rc::gen::container<std::vector<std::int64_t>>(
                rc::gen::oneOf(rc::gen::arbitrary<std::int64_t>(), rc::gen::inRange<std::int64_t>(-5, 5),
                               rc::gen::just(std::numeric_limits<std::int64_t>::min())));
            RC_PRE(!values.empty());
            const PackedColumn column = PackedColumn::pack(std::span<const std::int64_t>(values));
            std::vector<std::int64_t> read(values.size());
            column.read(0, std::span(read));
            RC_ASSERT(read == values);
            for (std::size_t i = 0; i < values.size(); ++i)
                RC_ASSERT(static_cast<std::int64_t>(column[i]) == values[i]);
        });
        QVERIFY(holds);
    }
    void batchesOfOneSenderAreOneOrigin()
    {
        Store store;
        for (const std::int64_t second : {7, 3, 5}) {
            Batch batch = batchOf("main 1\n");
            batch.origin.name = "agent";
            batch.origin.generation = "1.11";
            batch.origin.timeNs = second * 100;
            batch.origin.durationNs = 50;
            store.append(std::move(batch));
        }
        Batch other = batchOf("main 1\n");
        other.origin.name = "agent";
        other.origin.generation = "1.3";
        store.append(std::move(other));
        const auto snapshot = store.publish();
        QCOMPARE(snapshot->origins.size(), std::size_t(2));
        QCOMPARE(snapshot->origins[0].timeNs, 300);
        QCOMPARE(snapshot->origins[0].durationNs, 450);
    }
    void constantColumnsTakeNoMemory()
    {
        const std::vector<std::uint32_t> same(1000, 7);
        QCOMPARE(PackedColumn::pack(std::span<const std::uint32_t>(same)).bytes(), std::size_t(0));
    }
    void stacksAreInternedOnceAndParentsPrecedeChildren()
    {
        const bool holds = rc::check("path() finds what child() made", [] {
            const auto paths = *rc::gen::container<std::vector<std::vector<std::uint32_t>>>(
                rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, 4)));
            StackTree tree;
            for (const auto &path : paths) {
                StackId byChild;
                for (const std::uint32_t frame : path)
                    byChild = tree.child(byChild, FrameId(frame));
                std::vector<FrameId> leafFirst;
                for (std::size_t i = path.size(); i-- > 0;)
                    leafFirst.emplace_back(path[i]);
                const std::size_t size = tree.size();
                RC_ASSERT(tree.path(leafFirst) == byChild);
                RC_ASSERT(tree.size() == size);
            }
            for (std::size_t i = 1; i < tree.size(); ++i)
                RC_ASSERT(tree[StackId(i)].parent.value < i);
        });
        QVERIFY(holds);
    }
    void appendingTheSameBatchTwiceAddsSamplesButNoDictionary()
    {
        constexpr std::string_view kText = "main;f[lib] 1 | thread=a\nmain;g 2\n";
        Store store;
        store.append(batchOf(kText));
        const auto once = store.publish();
        store.append(batchOf(kText));
        const auto twice = store.publish();
        QCOMPARE(twice->stacks.size(), once->stacks.size());
        QCOMPARE(twice->strings.size(), once->strings.size());
        QCOMPARE(twice->frames.size(), once->frames.size());
        QCOMPARE(twice->contexts.size(), once->contexts.size());
        QCOMPARE(twice->sampleCount(), 2 * once->sampleCount());
        COMPARE_TEXT(top(twice), "g 4 4\nf 2 2\nmain 0 6\n");
    }
    void aSnapshotDoesNotChangeWhenTheStoreGoesOn()
    {
        Store store;
        store.append(batchOf("main;f 1\n"));
        const auto before = store.publish();
        const std::string text = dump(*before);
        for (int i = 0; i < 100; ++i)
            store.append(batchOf("main;f" + std::to_string(i) + " 1\n"));
        store.publish();
        COMPARE_TEXT(dump(*before), QByteArray::fromStdString(text));
        QCOMPARE(before->sampleCount(), std::uint64_t(1));
    }
    void readersSeeWholeSnapshotsWhileTheWriterAppends()
    {
        Store store;
        store.append(batchOf("main;f0 1\n"));
        store.publish();
        std::atomic<bool> isDone = false;
        std::atomic<int> bad = 0;
        std::vector<std::jthread> readers;
        for (int i = 0; i < 2; ++i)
            readers.emplace_back([&] {
                Evaluator evaluator;
                std::uint64_t last = 0;
                do {
                    const auto snapshot = store.snapshot();
                    const auto evaluation = evaluator.evaluate(snapshot, {});
                    bad += !evaluation || snapshot->version < last ||
                           (*evaluation)->total != static_cast<std::int64_t>(snapshot->sampleCount()) ||
                           (*evaluation)->matched != (*evaluation)->total;
                    last = snapshot->version;
                } while (!isDone);
            });
        for (int i = 1; i < 200; ++i) {
            store.append(batchOf("main;f" + std::to_string(i) + " 1 | n=" + std::to_string(i) + "\n"));
            store.publish();
        }
        isDone = true;
        readers.clear();
        QCOMPARE(bad.load(), 0);
    }
    void symbolsRenameFramesOfLaterSnapshotsWithoutTouchingSamples()
    {
        Store store;
        store.append(batchOf("main;[lib] 3\n"));
        const auto before = store.publish();
        store.apply({.frames = {{FrameId(1),
                                 {{.name = "inner",
                                   .systemName = {},
                                   .file = "x.c",
                                   .startLine = 0,
                                   .line = 7,
                                   .column = 0},
                                  {.name = "outer",
                                   .systemName = {},
                                   .file = {},
                                   .startLine = 0,
                                   .line = 0,
                                   .column = 0}}}},
                     .binaries = {}});
        const auto after = store.publish();
        COMPARE_TEXT(top(before), "[lib] 3 3\nmain 0 3\n");
        COMPARE_TEXT(top(after), "inner 3 3\nmain 0 3\nouter 0 3\n");
        QVERIFY(after->symbolVersion > before->symbolVersion);
    }
    void theOldestChunksGoWhenTheBudgetIsReachedAndAreCounted()
    {
        std::string many;
        for (std::size_t i = 0; i < SampleChunk::kRows; ++i)
            many += "f" + std::to_string(i % 300) + " " + std::to_string(i) + "\n";
        Store sized;
        sized.append(batchOf(many));
        const std::size_t one = sized.memoryUse().samples;
        Store store(sized.memoryUse().dictionary + 2 * one + one / 2);
        for (int i = 0; i < 5; ++i)
            store.append(batchOf(many));
        const auto snapshot = store.publish();
        QVERIFY(snapshot->memory.total() <= sized.memoryUse().dictionary + 2 * one + one / 2);
        QCOMPARE(snapshot->sampleCount() + snapshot->losses.count(Loss::EvictedSamples),
                 std::uint64_t(5 * SampleChunk::kRows));
        QVERIFY(snapshot->losses.count(Loss::EvictedSamples) > 0);
    }
    void anEvaluatorThatFollowsAStoreSaysWhatANewOneSays()
    {
        Store store;
        Evaluator following;
        Lens lens;
        lens.frames.push_back({.kind = FrameTermKind::Hide, .text = "f1"});
        lens.attributes.push_back(
            {.kind = AttributeTermKind::Equals, .key = "n", .text = "7", .isNegated = true});
        std::string rows;
        for (int i = 0; i < 3000; ++i)
            rows += "main;f" + std::to_string(i % 37) + ";g " + std::to_string(i % 5) +
                    " | n=" + std::to_string(i % 11) + "\n";
        for (int step = 0; step < 60; ++step) {
            store.append(batchOf(rows + "main;new" + std::to_string(step) + " 1\n"));
            const auto snapshot = store.publish();
            const auto followed = following.evaluate(snapshot, lens);
            Evaluator fresh;
            const auto again = fresh.evaluate(snapshot, lens);
            QVERIFY(followed && again);
            QCOMPARE((*followed)->matched, (*again)->matched);
            QCOMPARE((*followed)->tree->total(NodeId()), (*again)->tree->total(NodeId()));
            QCOMPARE((*followed)->tree->nodeCount(), (*again)->tree->nodeCount());
        }
    }
    void anUnchangedLensOnTheSameSnapshotIsNotComputedAgain()
    {
        const auto snapshot = snapshotOf("main;f 1\n");
        Evaluator evaluator;
        const auto first = evaluator.evaluate(snapshot, {});
        QCOMPARE(evaluator.evaluate(snapshot, {})->get(), first->get());
    }
    void aStoppedEvaluationYieldsNothing()
    {
        std::stop_source stop;
        stop.request_stop();
        Evaluator evaluator;
        const auto evaluation = evaluator.evaluate(snapshotOf("main;f 1\n"), {}, stop.get_token());
        QVERIFY(evaluation);
        QVERIFY(*evaluation == nullptr);
    }
    void sumsThatDoNotFitStayAtTheLimitAndSaySo()
    {
        const auto snapshot = snapshotOf("f 9223372036854775807\nf 5\n");
        Evaluator evaluator;
        const auto evaluation = evaluator.evaluate(snapshot, {});
        QVERIFY((*evaluation)->overflowed);
        QCOMPARE((*evaluation)->matched, std::numeric_limits<std::int64_t>::max());
    }
    void theInvertedTreeShowsCallersBelowWhatTheyCall()
    {
        COMPARE_TEXT(test::invertedTree(snapshotOf("main;a;leaf 3\nmain;b;leaf 2\nmain;a 1\n")),
                     "leaf 5 0\n  a 3 0\n    main 3 3\n  b 2 0\n    main 2 2\na 1 0\n  main 1 1\n");
    }
    void countsWithAPeriodInTimeAlsoOfferThatTime()
    {
        Batch batch = batchOf("f 3\n");
        batch.blocks[0].periodType = batch.addString("cpu");
        batch.blocks[0].periodUnit = batch.addString("nanoseconds");
        batch.blocks[0].period = 10;
        Store store;
        store.append(std::move(batch));
        COMPARE_TEXT(top(store.publish(), "series:cpu"), "f 30 30\n");
        COMPARE_TEXT(top(store.publish()), "f 3 3\n");
    }
};

QTEST_GUILESS_MAIN(TestStore)
#include "tst_store.moc"
