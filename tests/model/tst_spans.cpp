#include "model/lens/compiled_lens.h"
#include "model/lens/lens_text.h"
#include "model/store/store.h"
#include "model/views/evaluator.h"
#include "model/views/lens_completion.h"
#include "model/views/link_estimate.h"
#include "model/views/linked_spans.h"
#include "model/views/span_order.h"
#include "model/views/span_table.h"
#include "tests/support/profile_text.h"
#include "tests/support/spans_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace hearth;
using namespace hearth::test;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

std::shared_ptr<const Snapshot> spansAlone(std::string_view text)
{
    Store store;
    store.append(spansOf(text));
    return store.publish();
}

SpanTable tableOf(const Snapshot &snapshot)
{
    SpanTable table;
    table.extend(snapshot);
    return table;
}

/// A request that asks a database, one that fails, and a sample whose span has not been received.
std::shared_ptr<const Snapshot> shopWithSamples()
{
    return dataSetOf("handle 5 | ~1.1\n"
                     "handle;query 2 | ~1.2\n"
                     "pay 11 | ~2.1\n"
                     "lonely 17 | ~9.9\n"
                     "idle 100\n",
                     "1.2<1.1 10..20 db select | table=items\n"
                     "1.1 0..30 shop cart\n"
                     "2.1 40..45 shop! checkout\n");
}

std::string marksText(std::uint8_t marks)
{
    std::string text;
    for (const auto &[mark, word] : {std::pair<int, const char *>(kSpanFailed, " failed"),
                                     {kSpanReversed, " reversed"},
                                     {kSpanDuplicate, " duplicate"},
                                     {kSpanWithoutId, " without id"}})
        if ((marks & mark) != 0)
            text += word;
    return text;
}

/// Spans below what they are part of, with what is said of them.
std::string treeText(const Snapshot &snapshot)
{
    const SpanTable table = tableOf(snapshot);
    const SpanOrder order = *SpanOrder::of(table);
    std::map<SpanRow, std::string> indents;
    std::map<SpanRow, std::set<SpanRow>> children;
    for (std::size_t i = 0; i < table.size(); ++i)
        children[order.parents[i]].insert(SpanRow(i));
    std::string text;
    const auto print = [&](auto &self, SpanRow parent, const std::string &indent) -> void {
        for (const SpanRow row : children[parent]) {
            text += indent + std::string(snapshot.text(table.name(row))) + ' ' +
                    std::to_string(table.durationNs(row)) + marksText(table.marks(row)) +
                    (table.isOrphan(row) ? " orphan" : "") +
                    (order.cyclic > 0 && order.isCyclic[row.value] != 0 ? " cyclic" : "") + '\n';
            self(self, row, indent + "  ");
        }
    };
    print(print, SpanRow::none(), "");
    return text;
}

/// A batch with spans whose parents may be anything: missing, later, themselves.
std::string someSpans()
{
    std::string text;
    const int count = *rc::gen::inRange(0, 60);
    for (int i = 0; i < count; ++i) {
        const auto some = [](int below) { return std::to_string(*rc::gen::inRange(0, below)); };
        const std::string trace = std::to_string(*rc::gen::inRange(1, 4));
        text += trace + '.' + some(25) + (*rc::gen::arbitrary<bool>() ? '<' + trace + '.' + some(30) : "") +
                ' ' + some(100) + ".." + some(100) + (*rc::gen::arbitrary<bool>() ? " a! x\n" : " b y\n");
    }
    return text;
}

SpanFaults countedFaults(const SpanTable &table)
{
    SpanFaults faults;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::uint8_t marks = table.marks(SpanRow(i));
        faults.reversed += (marks & kSpanReversed) != 0;
        faults.duplicates += (marks & kSpanDuplicate) != 0;
        faults.withoutId += (marks & kSpanWithoutId) != 0;
        faults.orphans += table.isOrphan(SpanRow(i));
    }
    return faults;
}

} // namespace

class SpansTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void childrenThatArriveBeforeTheirParentsAreFound()
    {
        const auto snapshot = spansAlone("1.3<1.2 20..30 shop query\n"
                                         "1.2<1.1 10..40 shop cart\n"
                                         "2.1 0..9 shop other\n"
                                         "1.1 0..50 gate GET /cart\n");
        COMPARE_TEXT(treeText(*snapshot), "other 9\n"
                                          "GET /cart 50\n"
                                          "  cart 30\n"
                                          "    query 10\n");
        QCOMPARE(tableOf(*snapshot).faults(), SpanFaults());
    }

    void whatIsWrongWithSpansIsMarkedAndCounted()
    {
        const auto snapshot = spansAlone("1.1 50..40 shop! backwards\n"
                                         "1.1 0..5 shop again\n"
                                         "1.2<1.9 0..7 shop orphan\n"
                                         "1.0<1.1 0..3 shop nameless\n");
        COMPARE_TEXT(treeText(*snapshot), "backwards 0 failed reversed\n"
                                          "  nameless 3 without id\n"
                                          "again 5 duplicate\n"
                                          "orphan 7 orphan\n");
        QCOMPARE(tableOf(*snapshot).faults(),
                 (SpanFaults{.reversed = 1, .duplicates = 1, .withoutId = 1, .orphans = 1}));
    }

    void spansThatAreAncestorsOfEachOtherAreCutAtTheFirst()
    {
        const auto snapshot = spansAlone("1.5<1.4 0..1 s below\n"
                                         "1.2<1.4 0..2 s b\n"
                                         "1.3<1.2 0..3 s c\n"
                                         "1.4<1.3 0..4 s d\n"
                                         "1.6<1.6 0..5 s itself\n");
        COMPARE_TEXT(treeText(*snapshot), "b 2 cyclic\n"
                                          "  c 3 cyclic\n"
                                          "    d 4 cyclic\n"
                                          "      below 1\n"
                                          "itself 5 cyclic\n");
    }

    void aParentThatArrivesLaterTakesItsOrphans()
    {
        Store store;
        SpanTable table;
        store.append(spansOf("1.2<1.1 0..1 s a\n1.3<1.1 0..1 s b\n"));
        table.extend(*store.publish());
        QCOMPARE(table.faults().orphans, std::uint64_t(2));
        store.append(spansOf("1.1 0..9 s root\n"));
        table.extend(*store.publish());
        QCOMPARE(table.faults().orphans, std::uint64_t(0));
        QCOMPARE(table.parent(SpanRow(std::size_t(0))), SpanRow(std::size_t(2)));
    }

    void spansThatWereEvictedAreForgotten()
    {
        std::string many;
        for (int i = 1; i <= 5000; ++i)
            many += "1." + std::to_string(i) + "<1.1 0..1 s x\n";
        Store unlimited;
        unlimited.append(spansOf(many));
        Store store(unlimited.memoryUse().total());
        store.append(spansOf(many));
        SpanTable table;
        table.extend(*store.publish());
        QCOMPARE(table.size(), std::size_t(5000));
        store.append(spansOf(many));
        const auto after = store.publish();
        QVERIFY(after->spans.evicted > 0);
        table.extend(*after);
        QCOMPARE(table.size(), std::size_t(10000 - after->spans.evicted));
        QCOMPARE(table.faults(), countedFaults(table));
    }

    void timesBeyondAnyCalendarStayInRange()
    {
        const auto snapshot = spansAlone("1.1 5..18446744073709551615 s long\n"
                                         "1.2 18446744073709551614..18446744073709551615 s late\n");
        const SpanTable table = tableOf(*snapshot);
        QCOMPARE(table.endNs(SpanRow(std::size_t(0))), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(table.durationNs(SpanRow(std::size_t(1))), std::int64_t(0));
    }

    void tracesAreThoseOfSamplesToo()
    {
        const auto snapshot = dataSetOf("main 1 | ~7.1\nmain 2\n", "8.1 0..1 s a\n8.2 0..1 s b\n");
        const SpanTable table = tableOf(*snapshot);
        QCOMPARE(table.traceCount(), std::size_t(2));
        const auto idOf = [&](std::size_t trace) {
            return traceText(snapshot->links[table.anyLink(TraceRow(trace)).value]);
        };
        COMPARE_TEXT(idOf(0), "00000000000000000000000000000007");
        COMPARE_TEXT(idOf(1), "00000000000000000000000000000008");
        QCOMPARE(table.trace(SpanRow(std::size_t(0))), table.trace(SpanRow(std::size_t(1))));
        QVERIFY(table.traceOf(LinkId()).isNone());
    }

    void aMillionChildrenAndAChainOfThemAreOneLoop()
    {
        constexpr std::size_t kCount = 300'000;
        Batch batch;
        const StringId name = batch.addString("x");
        batch.links.resize(2 * kCount + 1);
        for (std::size_t i = 1; i < batch.links.size(); ++i) {
            batch.links[i].trace[0] = 1;
            for (std::size_t byte = 0; byte < 4; ++byte)
                batch.links[i].span[byte] = static_cast<std::uint8_t>(i >> (8 * byte));
            Span span;
            span.id = LinkId(i);
            span.parent = LinkId(i <= kCount ? i - 1 : 1); // a chain, and children of its first
            span.name = name;
            batch.spans.rows.push_back(span);
        }
        Store store;
        store.append(std::move(batch));
        const SpanTable table = tableOf(*store.publish());
        const SpanOrder order = *SpanOrder::of(table);
        QCOMPARE(order.rows.size(), 2 * kCount);
        QCOMPARE(order.cyclic, std::uint64_t(0));
    }

    // Lenses

    void aLensShowsWhatRanInTheSpansThatItNames()
    {
        const auto shop = shopWithSamples();
        COMPARE_TEXT(top(shop, "span=cart"), "handle 5 7\nquery 2 2\n");
        COMPARE_TEXT(top(shop, "span=cart nochildren"), "handle 5 5\n");
        COMPARE_TEXT(top(shop, "span~^s"), "query 2 2\nhandle 0 2\n");
        COMPARE_TEXT(top(shop, "duration>=30ns"), "handle 5 7\nquery 2 2\n");
        COMPARE_TEXT(top(shop, "duration<10ns"), "pay 11 11\n");
        COMPARE_TEXT(top(shop, "error"), "pay 11 11\n");
        COMPARE_TEXT(top(shop, "-error -span=select -span=cart"), "");
        COMPARE_TEXT(top(shop, "span@service=db"), "query 2 2\nhandle 0 2\n");
        COMPARE_TEXT(top(shop, "span@table=items"), "query 2 2\nhandle 0 2\n");
        COMPARE_TEXT(top(shop, "spanid=0000000000000002"), "query 2 2\nhandle 0 2\n");
        COMPARE_TEXT(top(shop, "trace=00000000000000000000000000000002 error"), "pay 11 11\n");
        COMPARE_TEXT(top(shop, "trace=00000000000000000000000000000001 error"), "");
    }

    void tracesWithoutSpansAreFoundByTheirIds()
    {
        const auto shop = shopWithSamples();
        COMPARE_TEXT(top(shop, "trace=00000000000000000000000000000009"), "lonely 17 17\n");
        COMPARE_TEXT(top(shop, "trace=00000000000000000000000000000009 spanid=0000000000000009"),
                     "lonely 17 17\n");
        COMPARE_TEXT(top(shop, "trace=00000000000000000000000000000009 spanid=0000000000000001"), "");
    }

    void spansThatArriveAfterTheirSamplesBringThemIn()
    {
        Store store;
        std::string many; // so many that a chunk is sealed before the span is known
        for (std::size_t i = 0; i < SampleChunk::kRows + 10; ++i)
            many += "main;late 1 | ~1.2\n";
        store.append(batchOf(many));
        Evaluator evaluator;
        const Lens lens = *parseLens("span=outer");
        const auto matched = [&] { return (*evaluator.evaluate(store.publish(), lens))->matched; };
        QCOMPARE(matched(), std::int64_t(0));
        store.append(spansOf("1.2<1.1 0..1 s inner\n"));
        QCOMPARE(matched(), std::int64_t(0));
        store.append(spansOf("1.1 0..5 s outer\n"));
        QCOMPARE(matched(), std::int64_t(SampleChunk::kRows + 10));
        store.append(batchOf("main;more 5 | ~1.2\nmain;other 7 | ~3.3\n"));
        QCOMPARE(matched(), std::int64_t(SampleChunk::kRows + 15));
    }

    void childrenAreIncludedWhoeverIsWhoseParent()
    {
        QVERIFY(rc::check("links are those of matching spans and of all below them", [] {
            const auto snapshot = spansAlone(someSpans());
            const SpanTable table = tableOf(*snapshot);
            const CompiledLens lens = *compile(*parseLens("error"));
            const auto matched = matchSpans(lens, *snapshot, table);
            const auto links = matchLinks(lens, *snapshot, table);
            for (std::size_t i = 0; i < table.size(); ++i) {
                std::set<SpanRow> above;
                bool isIn = false;
                SpanRow row(i);
                while (!row.isNone() && above.insert(row).second) {
                    isIn |= matched[row.value] != 0;
                    row = table.parent(row);
                }
                if (table.link(SpanRow(i)) != LinkId() && isIn)
                    RC_ASSERT(links[table.link(SpanRow(i)).value] == 1);
                if (matched[i] != 0)
                    RC_ASSERT((table.marks(SpanRow(i)) & kSpanFailed) != 0);
            }
        }));
    }

    void spansAreOfferedWhileOneTypes()
    {
        const auto shop = shopWithSamples();
        const auto evaluation = *Evaluator().evaluate(shop, Lens());
        const auto offered = [&](std::string_view typed) {
            std::string terms;
            const Completions completions = *completionsOf(*shop, *evaluation, typed, 10, {});
            for (const Completion &item : completions.items)
                terms += item.term + '\n';
            return terms;
        };
        COMPARE_TEXT(offered("-span=ca"), "-span=cart\n");
        COMPARE_TEXT(offered("err"), "error\n");
        COMPARE_TEXT(offered("dur"), "duration>\nduration<\n");
    }

    // Estimates

    void samplesWithoutALinkAreEstimatedByThreadAndTime()
    {
        const auto shop = dataSetOf("handle 1 | thread.id:7 @15\n"
                                    "query 2 | thread.id:7 @25\n"
                                    "handle 4 | thread.id:7 @45\n"
                                    "other 8 | thread.id:8 @25\n"
                                    "late 16 | thread.id:7 @95\n"
                                    "linked 32 | thread.id:8 ~1.2 @500\n"
                                    "named 64 | thread.name=w service.name=shop @25\n",
                                    "1.1 10..50 shop cart | thread.id:7\n"
                                    "1.2<1.1 20..30 shop select | thread.id:7\n"
                                    "2.1 20..90 shop job | thread.name=w\n");
        COMPARE_TEXT(top(shop, "span=cart"), "linked 32 32\n");
        COMPARE_TEXT(top(shop, "span=cart nochildren estimated"), "handle 5 5\n");
        COMPARE_TEXT(top(shop, "span=cart estimated"), "linked 32 32\nhandle 5 5\nquery 2 2\n");
        COMPARE_TEXT(top(shop, "span=select estimated"), "linked 32 32\nquery 2 2\n");
        COMPARE_TEXT(top(shop, "span=job estimated"), "named 64 64\n");
    }

    void theSpanThatStartedLastIsTheOneThatRuns()
    {
        const auto snapshot = spansAlone("1.1 0..100 s a | tid:1\n"
                                         "1.2 10..60 s b | tid:1\n"
                                         "1.3 20..80 s c | tid:1\n" // ends after the one that it is in
                                         "1.4 90..80 s d | tid:1\n"
                                         "1.5 5..5 s e | tid:1\n");
        const LinkEstimate estimate(*snapshot, tableOf(*snapshot));
        const ContextId context = snapshot->spans.chunks[0]->rows[0].context;
        std::string spans;
        for (const std::int64_t time : {-1, 0, 5, 10, 19, 20, 60, 79, 80, 99, 100}) {
            const LinkId link = estimate.at(context, time);
            spans += link == LinkId() ? '-' : static_cast<char>('0' + snapshot->links[link.value].span[7]);
        }
        COMPARE_TEXT(spans, "-112233311-");
    }

    void estimatesAreMadeAnewWhenSpansArrive()
    {
        Store store;
        store.append(batchOf("main 3 | tid:1 @5\n"));
        Evaluator evaluator;
        const Lens lens = *parseLens("span=x estimated");
        const auto matched = [&] { return (*evaluator.evaluate(store.publish(), lens))->matched; };
        QCOMPARE(matched(), std::int64_t(0));
        store.append(spansOf("1.1 0..9 s x | tid:1\n"));
        QCOMPARE(matched(), std::int64_t(3));
        store.append(spansOf("1.2 4..6 s y | tid:1\n"));
        QCOMPARE(matched(), std::int64_t(0));
    }

    // Properties

    void everySpanIsPlacedOnceBelowItsParent()
    {
        QVERIFY(rc::check("parents come first, whatever refers to whatever", [] {
            const auto snapshot = spansAlone(someSpans());
            const SpanTable table = tableOf(*snapshot);
            const SpanOrder order = *SpanOrder::of(table);
            std::vector<bool> isPlaced(table.size());
            std::uint64_t cut = 0;
            for (const SpanRow row : order.rows) {
                const SpanRow parent = order.parents[row.value];
                RC_ASSERT(!isPlaced[row.value]);
                RC_ASSERT((parent.isNone() || isPlaced[parent.value]));
                RC_ASSERT((parent.isNone() || parent == table.parent(row)));
                cut += parent.isNone() && !table.parent(row).isNone();
                isPlaced[row.value] = true;
            }
            RC_ASSERT(order.rows.size() == table.size());
            RC_ASSERT((cut <= order.cyclic && (cut > 0) == (order.cyclic > 0)));
        }));
    }

    void extendingIsTheSameAsReadingAtOnce()
    {
        QVERIFY(rc::check("a table that grew equals one that was made of all", [] {
            Store store;
            SpanTable grown;
            for (int i = *rc::gen::inRange(1, 5); i > 0; --i) {
                store.append(spansOf(someSpans()));
                grown.extend(*store.publish());
            }
            const SpanTable whole = tableOf(*store.publish());
            RC_ASSERT(grown.size() == whole.size());
            RC_ASSERT(grown.faults() == whole.faults());
            RC_ASSERT(grown.faults() == countedFaults(whole));
            for (std::size_t i = 0; i < whole.size(); ++i) {
                RC_ASSERT(grown.parent(SpanRow(i)) == whole.parent(SpanRow(i)));
                RC_ASSERT(grown.marks(SpanRow(i)) == whole.marks(SpanRow(i)));
                RC_ASSERT(grown.trace(SpanRow(i)) == whole.trace(SpanRow(i)));
            }
        }));
    }
};

QTEST_GUILESS_MAIN(SpansTest)
#include "tst_spans.moc"
