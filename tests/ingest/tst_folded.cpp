#include "ingest/formats/folded_writer.h"
#include "ingest/formats/format.h"
#include "model/store/store.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <rapidcheck.h>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

Result<Batch> read(const std::string &text)
{
    return readProfile(memorySource({reinterpret_cast<const std::uint8_t *>(text.data()), text.size()}),
                       {.name = "test", .stop = {}, .progress = {}});
}

std::shared_ptr<const Snapshot> snapshotOf(const std::string &text)
{
    Store store;
    store.append(read(text).value());
    return store.publish();
}

std::string rewritten(const std::string &text)
{
    const auto snapshot = snapshotOf(text);
    return foldedText(*snapshot, SeriesId(snapshot->series.size() - 1));
}

std::string utf16(const std::string &text, bool isBig)
{
    std::string wide = isBig ? "\xfe\xff" : "\xff\xfe";
    for (const char character : text) {
        wide += isBig ? '\0' : character;
        wide += isBig ? character : '\0';
    }
    return wide;
}

} // namespace

class TestFolded : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesAreStacksWithCounts()
    {
        COMPARE_TEXT(rewritten("main;f 3\nmain;g 2\nmain;f 1\n"), "main;f 4\nmain;g 2\n");
    }
    void aMissingCountIsOne() { COMPARE_TEXT(rewritten("main;f\nmain;f 2"), "main;f 3\n"); }
    void namesMayHoldBlanks()
    {
        COMPARE_TEXT(rewritten("main loop;do it now 3\nmain loop;operator new 2\n"),
                     "main loop;do it now 3\nmain loop;operator new 2\n");
    }
    void aNumberBeforeTheCountBelongsToTheNameUnlessAllLinesHaveTwo()
    {
        COMPARE_TEXT(rewritten("main;f 1\nmain;worker 7 3\n"), "main;f 1\nmain;worker 7 3\n");
        COMPARE_TEXT(rewritten("main;f 1 5\nmain;g 7 3\n"), "main;f 5\nmain;g 3\n");
        QCOMPARE(snapshotOf("main;f 1 5\n")->series.size(), std::size_t(2));
    }
    void theFirstLineWrittenDoesNotEndInANumber()
    {
        COMPARE_TEXT(rewritten("main;a 1\nmain;a 7 3\nmain;a 8 3\n"), "main;a 1\nmain;a 7 3\nmain;a 8 3\n");
        COMPARE_TEXT(rewritten("main;z 1\nmain;a 7 3\nmain;a 8 3\n"), "main;z 1\nmain;a 7 3\nmain;a 8 3\n");
        const auto snapshot = test::snapshotOf("main;worker 7 3\nmain;worker 8 3\n");
        COMPARE_TEXT(foldedText(*snapshot, SeriesId(0)), "main;worker_7 3\nmain;worker 8 3\n");
    }
    void countsBeyondWhatADoubleHoldsAreExact()
    {
        COMPARE_TEXT(rewritten("main;f 9007199254740993\n"), "main;f 9007199254740993\n");
    }
    void namesMayBeginLikeComments()
    {
        COMPARE_TEXT(rewritten("#<Class:Job>#run;sleep 3\n# a comment 3\n"), "#<Class:Job>#run;sleep 3\n");
    }
    void linesWithoutCountAndSeparatorAreLosses()
    {
        const auto snapshot = snapshotOf("main;f 3\nDone\n");
        COMPARE_TEXT(foldedText(*snapshot, SeriesId(0)), "main;f 3\n");
        QCOMPARE(snapshot->losses.count(Loss::UnreadableLines), std::uint64_t(1));
    }
    void compilersOfJavaAreKinds()
    {
        const auto snapshot = snapshotOf("main_[0];f_[1];g_[j] 3\n");
        COMPARE_TEXT(test::top(snapshot, "type:interpreted"), "g 3 3\nf 0 3\nmain 0 3\n");
        COMPARE_TEXT(foldedText(*snapshot, SeriesId(0)), "main_[0];f_[1];g_[j] 3\n");
    }
    void fractionsAreRoundedAndCounted()
    {
        const auto snapshot = snapshotOf("main;f 2.6\nmain;g 3.0\n");
        COMPARE_TEXT(foldedText(*snapshot, SeriesId(0)), "main;f 3\nmain;g 3\n");
        QCOMPARE(snapshot->losses.count(Loss::RoundedValues), std::uint64_t(1));
    }
    void endingsTellWhereAFrameRan()
    {
        const auto snapshot = snapshotOf("main;outer;inl_[i];sys_[k] 3\nmain;jitted_[j] 1\n");
        COMPARE_TEXT(test::tree(snapshot),
                     "main 4 0\n  outer 3 0\n    inl 3 0\n      sys 3 3\n  jitted 1 1\n");
        COMPARE_TEXT(test::top(snapshot, "type:kernel"), "sys 3 3\ninl 0 3\nmain 0 3\nouter 0 3\n");
        COMPARE_TEXT(test::tree(snapshot, "noinlines type:kernel"), "main 3 0\n  outer 3 0\n    sys 3 3\n");
        COMPARE_TEXT(foldedText(*snapshot, SeriesId(0)), "main;jitted_[j] 1\nmain;outer;inl_[i];sys_[k] 3\n");
    }
    void encodingsOfOtherSystemsAreRead()
    {
        const std::string text = "main;f 3\r\nmain;g 2\r\n";
        for (const std::string &encoded :
             {text, "\xef\xbb\xbf" + text, utf16(text, false), utf16(text, true)})
            COMPARE_TEXT(rewritten(encoded), "main;f 3\nmain;g 2\n");
    }
    void commentsAndEmptyLinesAreNoStacks()
    {
        COMPARE_TEXT(rewritten("# made by hand\n\nmain;f 3\n\n"), "main;f 3\n");
    }
    void framesWithoutANameAreUnknown() { COMPARE_TEXT(rewritten("main;;f 3\n"), "main;[unknown];f 3\n"); }
    void anEmptyFileAndOneWithoutStacksAreRefused()
    {
        QVERIFY(!read(""));
        QVERIFY(!read("# nothing\n"));
    }
    void whatIsWrittenReadsBackTheSame()
    {
        const bool holds = rc::check("write, read, write", [] {
            const auto name = rc::gen::nonEmpty(
                rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab [_]ik."))));
            const auto stacks = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::vector<std::string>>>(
                rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(name))));
            std::string text;
            for (const auto &stack : stacks) {
                text += 'x';
                for (const std::string &frame : stack)
                    text += ';' + frame;
                text += " 2\n";
            }
            const std::string once = rewritten(text);
            RC_ASSERT(rewritten(once) == once);
        });
        QVERIFY(holds);
    }
};

QTEST_GUILESS_MAIN(TestFolded)
#include "tst_folded.moc"
