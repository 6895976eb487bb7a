#include "model/lens/lens_steps.h"
#include "model/lens/lens_text.h"
#include "model/lens/span_steps.h"
#include "model/views/attribute_weights.h"
#include "model/views/entry_activity.h"
#include "model/views/entry_search.h"
#include "model/views/evaluator.h"
#include "model/views/inverted_call_tree.h"
#include "model/views/lens_completion.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <cmath>

using namespace hearth;
using test::snapshotOf;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

const char *const kShop = "main;json::parse;alloc[/lib/libc.so.6] 3 | process=checkout thread=a\n"
                          "main;json::parse;json::Parser::object 5 | process=checkout thread=b\n"
                          "main;render;json::parse 2 | process=gateway thread=c\n"
                          "main;[/lib/libcrypto.so.3] 4 | process=gateway thread=c\n";

std::string found(std::string_view typed)
{
    const auto evaluation = Evaluator().evaluate(snapshotOf(kShop), {}).value();
    const auto hits = findEntries(*evaluation->tree, typed, 3, {});
    std::string names;
    for (const EntryHit &hit : *hits)
        names += std::string(evaluation->tree->entries()[hit.entry].name) + ' ';
    return names;
}

} // namespace

class TestSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsOnAFunctionMeanThatFunctionAlone()
    {
        const StepSubject parse{"json::parse", {}};
        COMPARE_TEXT(printLens(keepStacksThrough({}, parse)), "/^json::parse$/");
        COMPARE_TEXT(printLens(dropStacksThrough({}, {"operator()<a.b>", {}})), "-/^operator\\(\\)<a\\.b>$/");
        COMPARE_TEXT(test::tree(snapshotOf(kShop), printLens(dropStacksThrough({}, parse))),
                     "main 4 0\n  [libcrypto.so.3] 4 4\n");
        COMPARE_TEXT(test::tree(snapshotOf(kShop), printLens(beginAt({}, parse))),
                     "json::parse 10 2\n  json::Parser::object 5 5\n  alloc 3 3\n");
        COMPARE_TEXT(test::tree(snapshotOf(kShop), printLens(mergeIntoCaller({}, parse))),
                     "main 14 0\n  json::Parser::object 5 5\n  [libcrypto.so.3] 4 4\n  alloc 3 3\n"
                     "  render 2 2\n");
    }
    void keepingWhatAFunctionWeighsItself()
    {
        const auto snapshot = snapshotOf(kShop);
        COMPARE_TEXT(printLens(keepSelf({}, {"json::parse", {}})), "self:^json::parse$");
        COMPARE_TEXT(test::tree(snapshot, "self:^json::parse$"),
                     "main 2 0\n  render 2 0\n    json::parse 2 2\n");
        COMPARE_TEXT(test::tree(snapshot, "-self:Parser -self:libcrypto"),
                     "main 5 0\n  json::parse 3 0\n    alloc 3 3\n  render 2 0\n    json::parse 2 2\n");
        // Of inlined calls, the innermost is the one that ran; attributes as frames run nothing.
        COMPARE_TEXT(test::tree(snapshotOf("a;b>c 1\na;c>b 2\n"), "self:b"), "a 2 0\n  c 2 0\n    b 2 2\n");
        COMPARE_TEXT(test::tree(snapshotOf("a 1 | k=b\nb 2 | k=a\n"), "self:b tagleaf:k"),
                     "b 2 0\n  a 2 2\n");
    }
    void keepingASubtree()
    {
        const auto snapshot = snapshotOf(kShop);
        COMPARE_TEXT(printLens(keepUnder({}, {"main", "json::parse"})), "under:main,json::parse");
        COMPARE_TEXT(test::tree(snapshot, "under:main,json::parse"),
                     "main 8 0\n  json::parse 8 0\n    json::Parser::object 5 5\n    alloc 3 3\n");
        COMPARE_TEXT(test::tree(snapshot, "under:json::parse"), "");
        COMPARE_TEXT(test::tree(snapshot, "under:json::parse from:json"),
                     "json::parse 10 2\n  json::Parser::object 5 5\n  alloc 3 3\n");
        COMPARE_TEXT(test::tree(snapshot, "under:main,render by:thread"),
                     "c 2 0\n  main 2 0\n    render 2 0\n      json::parse 2 2\n");
    }
    void endingStacks()
    {
        COMPARE_TEXT(printLens(endAt({}, {"json::parse", {}})), "to:^json::parse$");
        COMPARE_TEXT(test::tree(snapshotOf(kShop), "to:^json::parse$"),
                     "main 14 0\n  json::parse 8 8\n  [libcrypto.so.3] 4 4\n  render 2 0\n"
                     "    json::parse 2 2\n");
        COMPARE_TEXT(test::tree(snapshotOf("a;b>c;d 1\na;b>e 2\n"), "to:b"), "a 3 0\n  b 3 3\n");
        // Conditions see what is not shown.
        COMPARE_TEXT(test::tree(snapshotOf(kShop), "to:^main$ alloc"), "main 3 3\n");
    }
    void collapsingRecursion()
    {
        COMPARE_TEXT(printLens(collapseRecursion({}, {"f", {}})), "once:^f$");
        const auto snapshot = snapshotOf("m;f;f;h 1\nm;f;g 2\nm;f;g;f;h 4\nm;f;g;f;g;f 8\nm;g;f;g 16\n");
        COMPARE_TEXT(test::tree(snapshot, "once:^f$"),
                     "m 31 0\n  g 16 0\n    f 16 0\n      g 16 16\n  f 15 8\n    h 5 5\n    g 2 2\n");
        COMPARE_TEXT(test::tree(snapshot, "once:."), "m 31 0\n  g 16 16\n  f 15 8\n    h 5 5\n    g 2 2\n");
    }
    void collapsingABinary()
    {
        const auto snapshot = snapshotOf("m;a[/x/libc.so];b[/x/libc.so];c 1\nm;b[/x/libc.so] 2\n"
                                         "m;a[/x/libc.so];c;a[/x/libc.so] 4\n");
        COMPARE_TEXT(printLens(collapseBinary({}, {"a", "/x/libc.so"})), "collapse:(^|/)libc\\.so$");
        COMPARE_TEXT(test::tree(snapshot, "collapse:libc"),
                     "m 7 0\n  [libc.so] 7 2\n    c 5 1\n      [libc.so] 4 4\n");
    }
    void stepsOnWhatHasNoNameMeanItsBinary()
    {
        const StepSubject crypto{"[libcrypto.so.3]", "/lib/libcrypto.so.3"};
        COMPARE_TEXT(printLens(keepStacksThrough({}, crypto)), "lib:(^|/)libcrypto\\.so\\.3$");
        COMPARE_TEXT(test::tree(snapshotOf(kShop), printLens(keepStacksThrough({}, crypto))),
                     "main 4 0\n  [libcrypto.so.3] 4 4\n");
        COMPARE_TEXT(test::tree(snapshotOf("a;alloc[/lib/libc.so.6];b[/lib/libc.so.6] 3"),
                                printLens(mergeBinaryIntoCallers({}, {"b", "/lib/libc.so.6"}))),
                     "a 3 3\n");
        QVERIFY(mergeBinaryIntoCallers({}, {"main", {}}) == Lens());
    }
    void theSamePivotAgainTakesItAway()
    {
        const Lens lens = pivotOn({}, {"main", {}});
        COMPARE_TEXT(printLens(lens), "pivot:^main$");
        COMPARE_TEXT(printLens(pivotOn(lens, {"json::parse", {}})), "pivot:^json::parse$");
        QVERIFY(pivotOn(lens, {"main", {}}) == Lens());
    }
    void attributesOfOneKeyReplaceEachOther()
    {
        Lens lens = withAttribute({}, "process", "checkout");
        lens = withAttribute(lens, "process", "gateway");
        COMPARE_TEXT(printLens(lens), "@process=gateway");
        QVERIFY(withAttribute(lens, "process", "gateway") == Lens());
        lens = withoutAttribute({}, "thread", "a");
        COMPARE_TEXT(printLens(withoutAttribute(lens, "thread", "b")), "-@thread=a -@thread=b");
        QVERIFY(withoutAttribute(lens, "thread", "a") == Lens());
    }
    void whatChoosesSpansIsReplacedAndFiltersStay()
    {
        const Lens lens =
            parseLens("main error span~x span=cart span@service=shop duration>=1ms trace=ab").value();
        const SpanChoice choice = spanChoiceOf(lens);
        COMPARE_TEXT(*choice.name, "cart");
        COMPARE_TEXT(choice.service, "shop");
        COMPARE_TEXT(choice.trace, "ab");
        QCOMPARE(choice.fromNs, std::optional<std::int64_t>(1'000'000));
        QVERIFY(!choice.toNs && choice.span.empty());
        COMPARE_TEXT(printLens(withoutSpanChoice(lens)), "main error span~x");
        QVERIFY(spanChoiceOf(withSpanChoice(lens, choice)) == choice);
        SpanChoice other;
        other.trace = "cd";
        other.span = "12";
        COMPARE_TEXT(printLens(withSpanChoice(lens, other)), "main trace=cd error span~x spanid=12");
        QVERIFY(spanChoiceOf(withSpanChoice(lens, other)) == other);
        QVERIFY(
            !spanChoiceOf(parseLens("-span=x duration>1s -spanid=1 span@service=y").value()).isAnything());
        SpanChoice slow;
        slow.name = "cart";
        slow.fromNs = 1000;
        slow.toNs = 5000;
        COMPARE_TEXT(printLens(withSpanChoice({}, outsideBand(slow))), "span=cart duration<1us");
        slow.fromNs = 0;
        COMPARE_TEXT(printLens(withSpanChoice({}, outsideBand(slow))), "span=cart duration>=5us");
    }
    void spansAreSoughtInWordsOfTheirOwn()
    {
        const auto search = [](std::string_view text) {
            const auto lens = parseSpanSearch(text);
            return lens ? printLens(*lens) : "(" + lens.error().message + ")";
        };
        COMPARE_TEXT(search(""), "");
        COMPARE_TEXT(search("service=checkout duration>100ms error"),
                     "duration>100ms error span@service=checkout");
        COMPARE_TEXT(search("cart -\"GET /x\""), "span~(?i)cart -span~\"(?i)GET /x\"");
        COMPARE_TEXT(search("/^GET/ @http.route=/a -k=v"), "span~^GET -span@k=v span@http.route=/a");
        COMPARE_TEXT(search("trace=AB spanid=1 span=x"), "trace=ab spanid=1 span=x");
        QVERIFY(search("hide:x y").starts_with("("));
        QVERIFY(search("focus:x").starts_with("("));
        QVERIFY(search("duration>x").starts_with("("));
        QVERIFY(search("\"open").starts_with("("));
    }
    void theLastTermGoesFirst()
    {
        Lens lens = parseLens("main hide:libc @thread=a by:line time=1s..2s").value();
        for (const char *rest : {"main time=1s..2s hide:libc by:line", "main time=1s..2s by:line",
                                 "time=1s..2s by:line", "by:line", "by:line"}) {
            lens = withoutLastTerm(lens);
            QVERIFY2(lens == parseLens(rest).value(), printLens(lens).c_str());
        }
    }
    void namesAreFoundByWhatFitsBestAndWeighsMost()
    {
        QCOMPARE(fitOf("json::parse", "JSON::parse"), NameFit::Whole);
        QCOMPARE(fitOf("json::parse", "json"), NameFit::Beginning);
        QCOMPARE(fitOf("json::parse", "par"), NameFit::Word);
        QCOMPARE(fitOf("handleCart", "cart"), NameFit::Word);
        QCOMPARE(fitOf("json::parse", "son"), NameFit::Inside);
        QCOMPARE(fitOf("json::Parser::object", "jpo"), NameFit::Letters);
        QCOMPARE(fitOf("json::parse", "xyz"), NameFit::None);
        COMPARE_TEXT(found("parse"), "json::parse json::Parser::object ");
        COMPARE_TEXT(found(""), "main json::parse json::Parser::object ");
        COMPARE_TEXT(found("nothing"), "");
    }
    void attributesAreListedWithTheirWeights()
    {
        const auto snapshot = snapshotOf(kShop);
        SampleSelection selection;
        selection.series = chooseSeries(*snapshot, {}).value();
        const auto weights = contextWeights(*snapshot, selection, {});
        QVERIFY(weights.has_value());
        std::string text;
        for (const AttributeFacet &facet : attributeFacets(*snapshot, *weights)) {
            text += facet.key + ' ' + std::to_string(facet.weight) + ':';
            for (const AttributeValue &value : facet.values)
                text += ' ' + value.text + '=' + std::to_string(value.weight);
            text += '\n';
        }
        COMPARE_TEXT(text, "process 14: checkout=8 gateway=6\nthread 14: c=6 b=5 a=3\n");
    }
    void termsAreCompletedWhileTheyAreTyped_data()
    {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<QByteArray>("offered");
        const auto row = [](const char *typed, const char *offered) {
            QTest::newRow(typed) << QByteArray(typed) << QByteArray(offered);
        };
        row("pars", "0: json::parse 10; json::Parser::object 5; ");
        row("main hide:pars", "5: hide:^json::parse$ 10; hide:^json::Parser::object$ 5; ");
        row("hi", "0: hide:; ");
        row("crypto", "0: lib:(^|/)libcrypto\\.so\\.3$ 4; ");
        row("hide:crypto", "0: hide:(^|/)libcrypto\\.so\\.3$ 4; ");
        row("from:", "0: from:^main$ 14; from:^json::parse$ 10; from:^json::Parser::object$ 5; ");
        row("-self:\"al", "0: -self:^alloc$ 3; ");
        row("x -@pro", "2: -@process=; ");
        row("@process=", "0: @process=checkout 8; @process=gateway 6; ");
        row("@process=G", "0: @process=gateway 6; ");
        row("lib:cry", "0: lib:(^|/)libcrypto\\.so\\.3$; ");
        row("collapse:c.so", "0: collapse:(^|/)libc\\.so\\.6$; ");
        row("by:bin", "0: by:binary; ");
        row("by:line,th", "0: by:line,thread; ");
        row("series:", "0: series:samples/count; ");
        row("inv", "0: inverted; ");
        row("\"two words", "0: ");
        row("", "0: ");
        row("nosuchkey:x", "0: ");
    }
    void termsAreCompletedWhileTheyAreTyped()
    {
        QFETCH(QByteArray, typed);
        QFETCH(QByteArray, offered);
        const auto snapshot = snapshotOf(kShop);
        const auto evaluation = Evaluator().evaluate(snapshot, {}).value();
        const auto found = completionsOf(*snapshot, *evaluation, typed.toStdString(), 3, {}).value();
        std::string text = std::to_string(found.begin) + ": ";
        for (const Completion &item : found.items) {
            text += item.term + (item.weight ? ' ' + std::to_string(*item.weight) : std::string()) + "; ";
            if (item.kind != CompletionKind::Key && item.kind != CompletionKind::Attribute)
                QVERIFY2(parseLens(item.term), item.term.c_str());
        }
        COMPARE_TEXT(text, offered);
    }
    void stripsTellWhenEachOfSeveralFunctionsRan()
    {
        const auto snapshot = snapshotOf("main;a 3 | @0\nmain;b 5 | @9\nmain;a;b 1 | @4\n[/l/x.so] 2 | @9\n");
        const std::vector<std::string_view> names{"main", "b", "gone", "[x.so]"};
        const auto strips = entryStripsOf(*snapshot, {}, names, 2, {}).value();
        using Strip = std::vector<std::int64_t>;
        QCOMPARE(strips, (std::vector<Strip>{{4, 5}, {1, 5}, {0, 0}, {0, 2}}));
        QCOMPARE(entryStripsOf(*snapshot, parseLens("time=9ns..").value(), names, 1, {}).value()[0],
                 Strip{5});
        QVERIFY(entryStripsOf(*snapshotOf("main 1\n"), {}, names, 2, {}).value()[0].empty());
    }
    void anEntrysActivityCountsItsSamplesOverTime()
    {
        std::string profile;
        for (int second = 0; second < 4; ++second)
            profile += std::string(second < 2 ? "main;early 2 | part=1 @" : "main;late 3 | part=2 @") +
                       std::to_string(second * 1'000'000'000LL + 1) + '\n';
        const auto snapshot = snapshotOf(profile);
        const auto early = entryActivityOf(*snapshot, {}, "early", 4, {});
        QCOMPARE(early->samples, std::uint64_t(2));
        QCOMPARE(early->all, std::uint64_t(4));
        QVERIFY(early->bins == std::vector<std::int64_t>({2, 2, 0, 0}));
        QVERIFY(std::abs(early->shareError() - 0.49) < 0.001);
        const auto later = entryActivityOf(*snapshot, parseLens("@part=2").value(), "main", 2, {});
        QCOMPARE(later->all, std::uint64_t(2));
        QVERIFY(later->bins == std::vector<std::int64_t>({0, 6}));
        const auto untimed = entryActivityOf(*snapshotOf(kShop), {}, "[libcrypto.so.3]", 4, {});
        QCOMPARE(untimed->samples, std::uint64_t(1));
        QVERIFY(untimed->bins.empty());
    }
    void anInvertedTreeIsAsDetailedAsThePictureOfIt()
    {
        const auto evaluation =
            Evaluator().evaluate(snapshotOf("a;b;leaf 90\na;c;leaf 9\nd;leaf 1\n"), {}).value();
        const auto namesOf = [&](std::size_t resolution, std::vector<std::string> focus) {
            const auto tree = invertedCallTree(evaluation->tree, 0, focus, resolution, {});
            std::string text;
            for (std::size_t node = 1; node < tree->nodeCount(); ++node)
                text += std::string(tree->entries()[tree->entryOf(NodeId(node))].name) + ' ' +
                        std::to_string(tree->total(NodeId(node))) + ' ';
            return text;
        };
        COMPARE_TEXT(namesOf(1000, {}), "leaf 100 b 90 c 9 d 1 a 9 a 90 ");
        COMPARE_TEXT(namesOf(2, {}), "leaf 100 b 90 c 9 d 1 a 90 "); // what is light ends early
        COMPARE_TEXT(namesOf(2, {"leaf", "c"}), "leaf 100 b 90 c 9 d 1 a 9 a 90 ");
    }
};

QTEST_GUILESS_MAIN(TestSteps)
#include "tst_steps.moc"
