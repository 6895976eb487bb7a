#include "tests/support/profile_text.h"

#include <QTest>

using namespace hearth;
using test::snapshotOf;
using test::top;
using test::tree;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

/// What every filter means, rule by rule; pprof means the same.
class TestFilters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void functionsOfTheSameNameAreOneRow()
    {
        COMPARE_TEXT(top(snapshotOf("main@a.c;f@a.c 1\nmain@b.c;f@b.c[lib] 2\n")), "f 3 3\nmain 0 3\n");
    }
    void framesWithoutANameAreOneRowPerBinary()
    {
        COMPARE_TEXT(top(snapshotOf("main;[/usr/lib/libc.so.6] 1\nmain;-[/lib/libc.so.6] 2\nmain;? 4\n")),
                     "<unknown> 4 4\n[libc.so.6] 3 3\nmain 0 7\n");
    }
    void inlinedFunctionsAreRowsAndTheInnermostGetsTheSelfValue()
    {
        COMPARE_TEXT(top(snapshotOf("main;outer>middle>inner 5\n")),
                     "inner 5 5\nmain 0 5\nmiddle 0 5\nouter 0 5\n");
    }
    void aFunctionCountsOncePerStackHoweverOftenItRecurs()
    {
        COMPARE_TEXT(top(snapshotOf("main;f;g;f>f;g 2\nmain;f 1\n")), "g 2 2\nf 1 3\nmain 0 3\n");
    }
    void valuesOfZeroMakeNoRowsButNegativeOnesDo()
    {
        COMPARE_TEXT(top(snapshotOf("main;zero 0\nmain;a 5\nmain;b -5\nmain;c -1\n")),
                     "a 5 5\nb -5 -5\nc -1 -1\nmain 0 -1\n");
        COMPARE_TEXT(top(snapshotOf("f;g 5\nf;g -5\n")), "");
    }
    void anEmptyStackIsInNoRowAndEveryNameFilterRemovesIt()
    {
        COMPARE_TEXT(top(snapshotOf(". 3\nmain 1\n")), "main 1 1\n");
        COMPARE_TEXT(tree(snapshotOf(". 3\nmain 1\n"), "ignore:nothing"), "main 1 1\n");
    }
    void focusKeepsStacksByNameFileOrBinary()
    {
        const auto snapshot = snapshotOf("main;a@x.c 1\nmain;b[libx] 2\nmain;c 4\n");
        COMPARE_TEXT(top(snapshot, "focus:^a$"), "a 1 1\nmain 0 1\n");
        COMPARE_TEXT(top(snapshot, "focus:x"), "b 2 2\na 1 1\nmain 0 3\n");
        COMPARE_TEXT(top(snapshot, "keep:^c$"), "c 4 4\nmain 0 4\n");
        COMPARE_TEXT(top(snapshot, "focus:nothing"), "");
    }
    void ignoreDropsStacksAndWinsOverFocus()
    {
        const auto snapshot = snapshotOf("main;a;b 1\nmain;a 2\nmain;c 4\n");
        COMPARE_TEXT(top(snapshot, "ignore:^b$"), "c 4 4\na 2 2\nmain 0 6\n");
        COMPARE_TEXT(top(snapshot, "focus:^a$ ignore:^b$"), "a 2 2\nmain 0 2\n");
        COMPARE_TEXT(top(snapshot, "-focus:^b$"), "c 4 4\na 2 2\nmain 0 6\n");
    }
    void focusSeesFramesThatHideRemoves()
    {
        COMPARE_TEXT(top(snapshotOf("main;memcpy 3\nmain;b 1\n"), "focus:memcpy hide:memcpy"), "main 3 3\n");
    }
    void hideActsOnSingleInlinedLinesAndGivesTheirValueToTheCaller()
    {
        COMPARE_TEXT(tree(snapshotOf("main;outer>inner;leaf 2\n"), "hide:inner"),
                     "main 2 0\n  outer 2 0\n    leaf 2 2\n");
        COMPARE_TEXT(tree(snapshotOf("main;leaf 2\n"), "hide:leaf"), "main 2 2\n");
        COMPARE_TEXT(tree(snapshotOf("main 2\n"), "hide:main"), "");
        COMPARE_TEXT(tree(snapshotOf("main;[libx] 2\n"), "hide:libx"), "main 2 2\n");
    }
    void showKeepsOnlyWhatMatchesAndNeverFramesWithoutLines()
    {
        COMPARE_TEXT(tree(snapshotOf("main;a;b 2\nmain;c 1\n"), "show:^a$"), "a 2 2\n");
        COMPARE_TEXT(tree(snapshotOf("main[libx];[libx] 2\n"), "show:libx"), "main 2 2\n");
        COMPARE_TEXT(tree(snapshotOf("main;a;b 2\n"), "show:^(a|b)$ hide:^b$"), "a 2 2\n");
    }
    void fromKeepsWhatIsBelowTheOutermostMatch()
    {
        COMPARE_TEXT(tree(snapshotOf("main;a;b;a;c 2\nmain;c 1\n"), "from:^a$"),
                     "a 2 0\n  b 2 0\n    a 2 0\n      c 2 2\n");
        COMPARE_TEXT(tree(snapshotOf("main;outer>hit>inner 2\n"), "show_from:hit"), "hit 2 0\n  inner 2 2\n");
        COMPARE_TEXT(tree(snapshotOf("main;outer>inner[libx] 2\n"), "from:libx"), "outer 2 0\n  inner 2 2\n");
        COMPARE_TEXT(tree(snapshotOf("main;a;b 2\n"), "from:^a$ hide:^a$"), "");
    }
    void fromCutsAFrameWhereverItStands()
    {
        COMPARE_TEXT(tree(snapshotOf("hit;outer>hit>inner 2\n"), "from:hit"),
                     "hit 2 0\n  hit 2 0\n    inner 2 2\n");
    }
    void noinlinesKeepsTheOutermostLine()
    {
        COMPARE_TEXT(tree(snapshotOf("main;outer>middle>inner 5\n"), "noinlines"), "main 5 0\n  outer 5 5\n");
        COMPARE_TEXT(tree(snapshotOf("main;outer>middle>inner 5\n"), "noinlines hide:outer"),
                     "main 5 0\n  middle 5 5\n");
    }
    void dropFramesCutsTheMatchAndWhatItCalled()
    {
        COMPARE_TEXT(tree(snapshotOf("drop:mal.*\nmain;malloc(int);helper 2\n")), "main 2 2\n");
        COMPARE_TEXT(tree(snapshotOf("drop:mal.*\nkeep:malloc_special\nmain;malloc_special;x 2\n")),
                     "main 2 0\n  malloc_special 2 0\n    x 2 2\n");
        COMPARE_TEXT(tree(snapshotOf("drop:alloc\nmain;xalloc 2\n")), "main 2 0\n  xalloc 2 2\n");
    }
    void dropFramesKeepsWhatComesBeforeTheFirstOtherFrame()
    {
        COMPARE_TEXT(tree(snapshotOf("drop:malloc\nmalloc;malloc 2\n")), "malloc 2 0\n  malloc 2 2\n");
        COMPARE_TEXT(tree(snapshotOf("drop:malloc\nmalloc;user;malloc 2\n")), "malloc 2 0\n  user 2 2\n");
    }
    void dropFramesCutsInsideAnInlinedFrame()
    {
        COMPARE_TEXT(tree(snapshotOf("drop:malloc\nmain;outer>malloc>inner;x 2\n")),
                     "main 2 0\n  outer 2 2\n");
    }
    void dropFramesThatAreNoExpressionAreNotApplied()
    {
        COMPARE_TEXT(tree(snapshotOf("drop:mal(loc\nmain;malloc 2\n")), "main 2 0\n  malloc 2 2\n");
        COMPARE_TEXT(tree(snapshotOf("drop:malloc\nkeep:(\nmain;malloc 2\n")), "main 2 0\n  malloc 2 2\n");
    }
    void anExpressionMayMatchTheEmptyNameOfAFile()
    {
        COMPARE_TEXT(top(snapshotOf("main@x.c 1\nf 2\n"), "focus:^$"), "f 2 2\n");
    }
    void tagsKeepSamples()
    {
        const auto snapshot =
            snapshotOf("a 1 | thread=x bytes:4096bytes\nb 2 | thread=y bytes:1bytes\nc 4\n");
        COMPARE_TEXT(top(snapshot, "tagfocus:thread=x,y"), "b 2 2\na 1 1\n");
        COMPARE_TEXT(top(snapshot, "tagignore:thread=x"), "c 4 4\nb 2 2\n");
        COMPARE_TEXT(top(snapshot, "tagfocus:bytes=4kb:"), "a 1 1\n");
        COMPARE_TEXT(top(snapshot, "@thread=y"), "b 2 2\n");
        COMPARE_TEXT(top(snapshot, "-@thread~."), "c 4 4\n");
    }
    void tagRootAndTagLeafMakeFramesOfLabels()
    {
        const auto snapshot = snapshotOf("main;f 1 | thread=x\nmain;f 2 | thread=y\n");
        COMPARE_TEXT(tree(snapshot, "tagroot:thread"),
                     "y 2 0\n  main 2 0\n    f 2 2\nx 1 0\n  main 1 0\n    f 1 1\n");
        COMPARE_TEXT(tree(snapshot, "tagleaf:thread"), "main 3 0\n  f 3 0\n    y 2 2\n    x 1 1\n");
        COMPARE_TEXT(tree(snapshot, "tagroot:thread focus:^x$"), "x 1 0\n  main 1 0\n    f 1 1\n");
    }
    void groupsAreRowsOfTheTopTable()
    {
        const auto snapshot =
            snapshotOf("main;f 1 | thread=x\nmain;g 2 | thread=y\nmain;f 4 | thread=y\nf 8\n");
        COMPARE_TEXT(top(snapshot, "by:thread"), "[no thread] 8 8\ny 6 6\nx 1 1\n");
        COMPARE_TEXT(top(snapshot, "by:thread focus:g"), "y 2 2\n");
    }
    void literalsMatchNamesInWhateverCase()
    {
        const auto snapshot = snapshotOf("main;Json::Parse 1\nmain;other 2\n");
        COMPARE_TEXT(top(snapshot, "json::parse"), "Json::Parse 1 1\nmain 0 1\n");
        COMPARE_TEXT(top(snapshot, "-json::parse"), "other 2 2\nmain 0 2\n");
        COMPARE_TEXT(top(snapshot, "/^other$/"), "other 2 2\nmain 0 2\n");
    }
    void timesKeepSamplesFromAToBeforeB()
    {
        const auto snapshot = snapshotOf("a 1 | @1000000000\nb 2 | @2000000000\nc 4 | @3000000000\n");
        COMPARE_TEXT(top(snapshot, "time=1s..2s"), "b 2 2\n");
        COMPARE_TEXT(top(snapshot, "time=1s.."), "c 4 4\nb 2 2\n");
        COMPARE_TEXT(top(snapshot, "time=-1s.."), "c 4 4\n");
        COMPARE_TEXT(top(snapshot, "time=..-1s"), "b 2 2\na 1 1\n");
        COMPARE_TEXT(top(snapshotOf("a 1\n"), "time=0s..1s"), "");
    }
    void theSeriesIsTheDefaultOrTheLastOrTheOneNamed()
    {
        const std::string_view text = "series: alloc/bytes inuse/count\nf 1,2\n";
        COMPARE_TEXT(top(snapshotOf(text)), "f 2 2\n");
        COMPARE_TEXT(top(snapshotOf("default:alloc\n" + std::string(text))), "f 1 1\n");
        COMPARE_TEXT(top(snapshotOf("default:nonsense\n" + std::string(text))), "f 2 2\n");
        COMPARE_TEXT(top(snapshotOf(text), "series:alloc/bytes"), "f 1 1\n");
        COMPARE_TEXT(top(snapshotOf(text), "series:inuse_alloc"), "f 1 1\n");
        COMPARE_TEXT(top(snapshotOf(text), "series:0"), "f 1 1\n");
    }
    void granularityDecidesWhatARowIs()
    {
        const auto snapshot = snapshotOf("main@a.c;f@a.c[x/lib] 1\nmain@a.c;f@b.c 2\n");
        COMPARE_TEXT(top(snapshot, "by:file"), "b.c 2 2\na.c 1 3\n");
        COMPARE_TEXT(top(snapshot, "by:filefunction"), "f 2 2\nf 1 1\nmain 0 3\n");
        COMPARE_TEXT(top(snapshot, "by:binary"), "<unknown> 2 3\nlib 1 1\n");
    }
};

QTEST_GUILESS_MAIN(TestFilters)
#include "tst_filters.moc"
