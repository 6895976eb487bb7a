#include "model/lens/lens_text.h"
#include "model/views/overview.h"
#include "tests/support/profile_text.h"
#include "tests/support/spans_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <string>

using namespace hearth;
using namespace hearth::test;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

Overview overviewOf(const std::shared_ptr<const Snapshot> &snapshot, std::string_view lens = {})
{
    Evaluator evaluator;
    auto overview = overviewOf(evaluator, snapshot, *parseLens(lens), 8, {});
    if (!overview)
        qFatal("the lens does not fit");
    return std::move(*overview);
}

std::string adviceText(const Overview &overview)
{
    std::string text;
    for (const Advice &advice : overview.advice)
        text += advice.text + '\n';
    return text;
}

/// What is said of one kind; empty if nothing is.
std::string adviceText(const Overview &overview, AdviceKind kind)
{
    std::string text;
    for (const Advice &advice : overview.advice)
        if (advice.kind == kind)
            text += advice.text;
    return text;
}

constexpr const char *kProfile = "series: samples/count\n"
                                 "period: cpu/nanoseconds 10000000\n"
                                 "main[app];parse[app] 500 | thread=worker\n"
                                 "main[app];parse[app];alloc[libc] 300 | thread=worker\n"
                                 "main[app];draw[app] 200 | thread=ui\n";

} // namespace

class TestOverview : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itHasWhatWeighsMost()
    {
        const Overview overview = overviewOf(snapshotOf(kProfile));
        COMPARE_TEXT(std::string(overview.functions.rows.front().name), "parse");
        COMPARE_TEXT(std::string(overview.binaries.rows.front().path), "app");
        QCOMPARE(overview.binaries.rows.size(), std::size_t(2));
        QCOMPARE(overview.attributes.size(), std::size_t(1));
        COMPARE_TEXT(overview.attributes.front().key, "thread");
        COMPARE_TEXT(std::string(overview.attributes.front().values.rows.front().name), "worker");
        QCOMPARE(overview.attributes.front().values.rowCount, std::size_t(2));
    }
    void severalAttributesAreListedTheMostAskedForFirst()
    {
        const Overview overview = overviewOf(snapshotOf("main;a 9 | process=p thread=t cpu:1\n"
                                                        "main;b 5 | process=q thread=u cpu:2\n"
                                                        "main;c 1 | process=q thread=v cpu:3\n"));
        std::string text;
        for (const AttributeTop &attribute : overview.attributes) {
            text += attribute.key + ':';
            for (const TopRow &row : attribute.values.rows)
                text += ' ' + std::string(row.name) + ' ' + std::to_string(row.total);
            text += '\n';
        }
        COMPARE_TEXT(text, "process: p 9 q 6\nthread: t 9 u 5 v 1\ncpu: 1 9 2 5 3 1\n");
    }
    void everyFigureIsOfWhatTheLensShows()
    {
        const Overview overview = overviewOf(snapshotOf(kProfile), "@thread=ui series:samples");
        QCOMPARE(overview.evaluation->matched, 200);
        QCOMPARE(overview.functions.rows.size(), std::size_t(2));
        COMPARE_TEXT(std::string(overview.functions.rows.front().name), "draw");
        QVERIFY(overview.attributes.empty()); // one thread tells nothing apart
    }
    void aLensThatGroupsAndInvertsIsLookedAtWithoutThat()
    {
        const Overview plain = overviewOf(snapshotOf(kProfile));
        const Overview grouped = overviewOf(snapshotOf(kProfile), "by:thread,address inverted");
        QCOMPARE(grouped.functions.rows.size(), plain.functions.rows.size());
        COMPARE_TEXT(adviceText(grouped), adviceText(plain).c_str());
    }
    void adviceNamesTheHotFunctionTheCommonWayAndTheThread()
    {
        const Overview overview = overviewOf(snapshotOf(kProfile));
        COMPARE_TEXT(adviceText(overview), "50 % is in parse itself: see who calls it.\n"
                                           "80 % is in parse and what it calls.\n"
                                           "80 % is of the thread worker, one of 2.\n");
        QCOMPARE(overview.advice.back().key, std::string("thread"));
        QCOMPARE(overview.advice.back().name, std::string("worker"));
    }
    void fewSamplesAreSaidToBeFew()
    {
        const Overview overview = overviewOf(snapshotOf("series: samples/count\nmain;a 60\nmain;b 40\n"));
        COMPARE_TEXT(adviceText(overview, AdviceKind::TooFew),
                     "Only 100 samples: a share may be off by 9.8 % of the whole. Record for longer to know "
                     "more.");
    }
    void samplesAreCountedNotWhatTheyWeigh()
    {
        const Overview few =
            overviewOf(snapshotOf("series: cpu/nanoseconds\nperiod: cpu/nanoseconds 10000000\n"
                                  "main;a 1000000000\n"));
        QVERIFY2(adviceText(few, AdviceKind::TooFew).starts_with("Only 100 samples"),
                 adviceText(few).c_str());
    }
    void aBinaryWithoutSymbolsIsNamed()
    {
        const Overview overview = overviewOf(snapshotOf("main[app];[/usr/lib/libfoo.so] 300\n"
                                                        "main[app];[libbar.so] 200\n"
                                                        "main[app];work[app] 500\n"));
        COMPARE_TEXT(adviceText(overview, AdviceKind::Names),
                     "50 % ran in functions without a name, most of it in libfoo.so: give its symbols.");
        QCOMPARE(overview.named, 0.5);
    }
    void aBurstIsARangeToLookAt()
    {
        std::string profile = "series: cpu/nanoseconds\n";
        for (int second = 0; second < 60; ++second)
            profile += "main;work 10 | @" + std::to_string(1'000 + second) + "000000000\n";
        profile += "main;burst 5000 | @1030500000000\n";
        const Overview overview = overviewOf(snapshotOf(profile));
        const auto advice = std::ranges::find(overview.advice, AdviceKind::Time, &Advice::kind);
        QVERIFY(advice != overview.advice.end());
        QVERIFY(advice->range.contains(1'030'500'000'000));
        QVERIFY(advice->range.end - advice->range.begin < 2'000'000'000);
    }
    void evenLoadIsNoBurst()
    {
        std::string profile = "series: cpu/nanoseconds\n";
        for (int second = 0; second < 60; ++second)
            profile += "main;work 10 | @" + std::to_string(1'000 + second) + "000000000\n";
        COMPARE_TEXT(adviceText(overviewOf(snapshotOf(profile)), AdviceKind::Time), "");
    }
    void timesAtBothEndsOfTimeAreNoOverflow()
    {
        const Overview overview = overviewOf(
            snapshotOf("main 1 | @-9223372036854775807\nmain 1 | @9223372036854775806\nmain 1 | @0\n"));
        QCOMPARE(overview.evaluation->matched, 3);
    }
    void samplesOfSpansLeadToThem()
    {
        const Overview overview = overviewOf(dataSetOf("main;work 5 | ~1.1\n", "1.1 10..20 shop GET /\n"));
        QVERIFY(!adviceText(overview, AdviceKind::Spans).empty());
    }
    void nothingAtAllIsAnOverviewToo()
    {
        const Overview overview = overviewOf(snapshotOf("series: cpu/nanoseconds\n"));
        QVERIFY(overview.functions.rows.empty());
        QVERIFY(overview.advice.empty());
    }
    void aLensThatDoesNotFitHasNone()
    {
        Evaluator evaluator;
        QVERIFY(!hearth::overviewOf(evaluator, snapshotOf(kProfile), *parseLens("series:nosuch"), 8, {}));
    }
    void whatIsStoppedHasNoResult()
    {
        std::stop_source stop;
        stop.request_stop();
        Evaluator evaluator;
        QVERIFY(!hearth::overviewOf(evaluator, snapshotOf(kProfile), {}, 8, stop.get_token()));
    }
    void sharesInAdviceAreNeverMoreThanAll()
    {
        const bool holds = rc::check("the heaviest function is no more than all", [] {
            const auto weights =
                *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1'000, 1'000)));
            std::string profile = "series: space/bytes\n";
            for (std::size_t i = 0; i < weights.size(); ++i)
                profile += "main;f" + std::to_string(i % 7) + ' ' + std::to_string(weights[i]) + '\n';
            const Overview overview = ::overviewOf(snapshotOf(profile));
            for (const Advice &advice : overview.advice)
                if (advice.kind == AdviceKind::Function || advice.kind == AdviceKind::Path)
                    RC_ASSERT(std::stod(advice.text) <= 100.0);
        });
        QVERIFY(holds);
    }
};

QTEST_APPLESS_MAIN(TestOverview)
#include "tst_overview.moc"
