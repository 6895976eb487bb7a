#include "model/lens/lens_text.h"
#include "model/store/store.h"
#include "model/views/latency_map.h"
#include "model/views/log_list.h"
#include "model/views/trace_evaluator.h"
#include "model/views/trace_samples.h"
#include "model/views/waterfall.h"
#include "tests/support/profile_text.h"
#include "tests/support/spans_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <string>

using namespace hearth;
using namespace hearth::test;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

/// A gateway that asks a shop that asks a database; each sample is 10 ns of a processor.
constexpr const char *kSamples = "period: cpu/nanoseconds 10\n"
                                 "route 1 | ~1.1 @1\n"
                                 "handle;price 3 | ~1.2 @20\n"
                                 "handle;price;parse 2 | ~1.4 @60\n"
                                 "query 1 | ~1.3 @30\n"
                                 "handle;price 1 | ~2.2 @220\n"
                                 "lonely 4 | ~9.9 @400\n"
                                 "lonely 1 | ~9.8 @500\n"
                                 "idle 50 | @600\n";
constexpr const char *kSpans = "1.3<1.2 20..40 db select\n"
                               "1.2<1.1 10..90 shop cart\n"
                               "1.1 0..100 gate GET /cart\n"
                               "1.4<1.2 50..80 shop! parse\n"
                               "2.1 200..230 gate GET /cart\n"
                               "2.2<2.1 205..225 shop cart\n"
                               "3.2<3.1 300..310 shop cart\n";

std::shared_ptr<const Snapshot> shop()
{
    return dataSetOf(kSamples, kSpans);
}

std::shared_ptr<const TraceEvaluation> evaluated(const std::shared_ptr<const Snapshot> &snapshot,
                                                 std::string_view lens = {})
{
    const auto result = TraceEvaluator().evaluate(snapshot, *parseLens(lens));
    if (!result)
        qWarning("%s", result.error().message.c_str());
    return *result;
}

/// "TRACE name service start+duration spans failed samples on waiting", a line a trace.
std::string tracesText(const TraceEvaluation &evaluation, TraceKey key = TraceKey::Start,
                       bool isDescending = false)
{
    const Snapshot &snapshot = *evaluation.study->snapshot;
    const SpanTable &table = evaluation.study->table;
    std::string text;
    for (const std::uint32_t row : arrangedTraces(snapshot, table, evaluation.traces, key, isDescending)) {
        const TraceSummary &trace = evaluation.traces[row];
        text += traceText(snapshot.links[table.anyLink(trace.trace).value]).substr(31) + ' ';
        text += trace.root.isNone() ? "?" : std::string(snapshot.text(table.name(trace.root)));
        text += ' ' + std::string(snapshot.text(trace.service)) + ' ' + std::to_string(trace.startNs) + '+' +
                std::to_string(trace.durationNs) + ' ' + std::to_string(trace.spans) + ' ' +
                std::to_string(trace.failed) + ' ' + std::to_string(trace.samples) + ' ' +
                std::to_string(trace.onCpuNs) + ' ' + std::to_string(trace.waitingNs) + '\n';
    }
    return text;
}

std::string groupsText(const TraceEvaluation &evaluation)
{
    const Snapshot &snapshot = *evaluation.study->snapshot;
    std::string text;
    for (const SpanGroup &group : evaluation.groups.groups)
        text += std::string(snapshot.text(group.service)) + ' ' + std::string(snapshot.text(group.name)) +
                ' ' + std::to_string(group.count) + ' ' + std::to_string(group.failed) + ' ' +
                std::to_string(group.p50Ns) + ' ' + std::to_string(group.p99Ns) + ' ' +
                std::to_string(group.onCpuNs) + '\n';
    return text;
}

Waterfall waterfall(const TraceEvaluation &evaluation, std::uint32_t trace)
{
    const SpanStudy &study = *evaluation.study;
    for (std::size_t i = 0; i < study.table.traceCount(); ++i) {
        const Link &link = study.snapshot->links[study.table.anyLink(TraceRow(i)).value];
        if (link.trace[15] == trace)
            return *waterfallOf(*study.snapshot, study.table, study.order, study.weights, TraceRow(i), {});
    }
    return {};
}

/// Indented: "name start+duration on waiting unobserved", what is odd, and "*" on the critical path.
std::string waterfallText(const TraceEvaluation &evaluation, const Waterfall &waterfall)
{
    const SpanStudy &study = *evaluation.study;
    std::string text;
    for (const WaterfallRow &row : waterfall.rows) {
        text += std::string(2 * std::size_t(row.depth), ' ');
        text += row.span.isNone() ? "?" : std::string(study.snapshot->text(study.table.name(row.span)));
        text += ' ' + std::to_string(row.startNs) + '+' + std::to_string(row.durationNs) + ' ' +
                std::to_string(row.onCpuNs) + ' ' + std::to_string(row.waitingNs()) + ' ' +
                std::to_string(row.unobservedNs()) + (row.isOrphan ? " orphan" : "") +
                (row.isCyclic ? " cyclic" : "") + (row.isOutside ? " outside" : "") +
                (row.isCritical ? " *" : "") + '\n';
    }
    return text;
}

std::string pathText(const TraceEvaluation &evaluation, const Waterfall &waterfall)
{
    const SpanStudy &study = *evaluation.study;
    std::string text;
    for (const CriticalStep &step : waterfall.critical)
        text += std::string(study.snapshot->text(study.table.name(waterfall.rows[step.row].span))) + ' ' +
                std::to_string(step.beginNs) + ".." + std::to_string(step.endNs) + '\n';
    return text;
}

std::string shownSpans(const TraceEvaluation &evaluation)
{
    std::string text;
    for (std::size_t i = 0; i < evaluation.isShown.size(); ++i)
        if (evaluation.isShown[i] != 0) {
            const Link &link =
                evaluation.study->snapshot->links[evaluation.study->table.link(SpanRow(i)).value];
            text += (text.empty() ? "" : " ") + std::to_string(link.trace[15]) + '.' +
                    std::to_string(link.span[7]);
        }
    return text;
}

/// Spans of one trace that may overlap, be outside of their parents, and refer to anything.
std::string someTrace()
{
    std::string text;
    for (int i = *rc::gen::inRange(1, 40); i > 0; --i) {
        const auto some = [](int below) { return std::to_string(*rc::gen::inRange(0, below)); };
        text += "1." + some(30) + (*rc::gen::inRange(0, 4) > 0 ? "<1." + some(30) : "") + ' ' + some(100) +
                ".." + some(100) + " s" + some(3) + " x\n";
    }
    return text;
}

} // namespace

class TracesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tracesAreListedWithWhatRanInThem()
    {
        COMPARE_TEXT(tracesText(*evaluated(shop())), "1 GET /cart gate 0+100 4 1 4 70 0\n"
                                                     "2 GET /cart gate 200+30 2 0 1 10 0\n"
                                                     "3 cart shop 300+10 1 0 0 0 0\n"
                                                     "9 ?  400+100 0 0 2 50 0\n");
    }

    void tracesAreOrderedByAnyColumn()
    {
        const auto evaluation = evaluated(shop());
        const auto order = [&](TraceKey key, bool isDescending) {
            std::string text;
            const std::string all = tracesText(*evaluation, key, isDescending);
            for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1)
                text += all[at];
            return text;
        };
        COMPARE_TEXT(order(TraceKey::Duration, true), "1923");
        COMPARE_TEXT(order(TraceKey::Start, true), "9321");
        COMPARE_TEXT(order(TraceKey::Name, false), "9123");
        COMPARE_TEXT(order(TraceKey::Service, false), "9123");
        COMPARE_TEXT(order(TraceKey::Spans, true), "1239");
        COMPARE_TEXT(order(TraceKey::Failed, true).substr(0, 1), "1");
        COMPARE_TEXT(order(TraceKey::Samples, true), "1923");
        COMPARE_TEXT(order(TraceKey::OnCpu, false), "3291");
    }

    void spansOfANameAndServiceAreAGroup()
    {
        COMPARE_TEXT(groupsText(*evaluated(shop())), "shop cart 3 0 20 80 40\n"
                                                     "gate GET /cart 2 0 30 100 10\n"
                                                     "db select 1 0 20 20 10\n"
                                                     "shop parse 1 1 30 30 20\n");
    }

    void aLensShowsTheSpansThatItNames()
    {
        COMPARE_TEXT(shownSpans(*evaluated(shop(), "span=cart duration>10ns")), "1.2 2.2");
        COMPARE_TEXT(shownSpans(*evaluated(shop(), "error")), "1.4");
        COMPARE_TEXT(shownSpans(*evaluated(shop(), "@service=gate")), "1.1 2.1");
        COMPARE_TEXT(shownSpans(*evaluated(shop(), "time=2026-01-01T00:00:00Z..")), "");
        COMPARE_TEXT(tracesText(*evaluated(shop(), "span=parse")), "1 GET /cart gate 0+100 4 1 4 70 0\n");
        COMPARE_TEXT(tracesText(*evaluated(shop(), "trace=00000000000000000000000000000009")),
                     "9 ?  400+100 0 0 2 50 0\n");
    }

    void fromAFunctionOneComesToTheSpansThatRanIt()
    {
        COMPARE_TEXT(shownSpans(*evaluated(shop(), "/^parse$/")), "1.2 1.1 1.4");
        COMPARE_TEXT(shownSpans(*evaluated(shop(), "/^parse$/ nochildren")), "1.4");
        COMPARE_TEXT(shownSpans(*evaluated(shop(), "/^price$/ span=cart")), "1.2 2.2");
        COMPARE_TEXT(shownSpans(*evaluated(shop(), "/^query$/ nochildren")), "1.3");
        COMPARE_TEXT(shownSpans(*evaluated(shop(), "/^idle$/")), "");
        COMPARE_TEXT(tracesText(*evaluated(shop(), "/^lonely$/")), "9 ?  400+100 0 0 2 50 0\n");
    }

    void aWaterfallTellsWhereTheTimeOfEachSpanWent()
    {
        const auto evaluation = evaluated(shop());
        const Waterfall first = waterfall(*evaluation, 1);
        COMPARE_TEXT(waterfallText(*evaluation, first), "GET /cart 0+100 10 0 90 *\n"
                                                        "  cart 10+80 50 0 30 *\n"
                                                        "    select 20+20 10 0 10 *\n"
                                                        "    parse 50+30 20 0 10 *\n");
        QCOMPARE(first.failed, std::uint64_t(1));
        QCOMPARE(first.services.size(), std::size_t(3));
    }

    void theCriticalPathLeavesNoGap()
    {
        const auto evaluation = evaluated(shop());
        COMPARE_TEXT(pathText(*evaluation, waterfall(*evaluation, 1)), "GET /cart 0..10\n"
                                                                       "cart 10..20\n"
                                                                       "select 20..40\n"
                                                                       "cart 40..50\n"
                                                                       "parse 50..80\n"
                                                                       "cart 80..90\n"
                                                                       "GET /cart 90..100\n");
    }

    void whatIsOddInATraceIsShownForWhatItIs()
    {
        const auto evaluation = evaluated(dataSetOf("period: cpu/nanoseconds 1\nrun 7 | ~1.7 @5\n",
                                                    "1.1 10..20 a root\n"
                                                    "1.2<1.1 5..25 b skewed\n"
                                                    "1.3<1.8 0..9 a orphan\n"
                                                    "1.4<1.5 0..1 a cycle\n"
                                                    "1.5<1.4 0..2 a cycle too\n"));
        COMPARE_TEXT(waterfallText(*evaluation, waterfall(*evaluation, 1)),
                     "orphan 0+9 0 0 9 orphan\n"
                     "cycle 0+1 0 0 1 cyclic\n"
                     "  cycle too 0+2 0 0 2 cyclic outside\n"
                     "root 10+10 0 0 10\n"
                     "  skewed 5+20 0 0 20 outside *\n"
                     "? 5+0 7 0 0\n");
    }

    void waitingIsToldByItsCause()
    {
        const auto evaluation = evaluated(dataSetOf("series: off_cpu/nanoseconds\n"
                                                    "work;pthread_mutex_lock;futex_wait 5 | ~1.1 @1\n"
                                                    "work;read;io_schedule 7 | ~1.1 @2\n"
                                                    "work;recv;tcp_recvmsg 11 | ~1.1 @3\n"
                                                    "work;poll;do_sys_poll 13 | ~1.1 @4\n"
                                                    "work;nanosleep 17 | ~1.1 @5\n"
                                                    "work;schedule 19 | ~1.1 @6\n",
                                                    "1.1 0..100 a root\n"));
        const Waterfall trace = waterfall(*evaluation, 1);
        const std::array<std::int64_t, kWaitCauses> expected{5, 7, 11, 13, 17, 19};
        QCOMPARE(trace.rows.at(0).waitNs, expected);
        QCOMPARE(trace.rows.at(0).unobservedNs(), std::int64_t(28));
    }

    void latenciesOverTimeAreCountedInCells()
    {
        const auto evaluation = evaluated(shop());
        const SpanTable &table = evaluation->study->table;
        const LatencyMap map = latencyMap(table, evaluation->groups.spans, 3, 4);
        QCOMPARE(map.time, (TimeRange{0, 300}));
        std::uint32_t spans = 0;
        std::uint32_t failed = 0;
        for (const LatencyMap::Cell &cell : map.cells) {
            spans += cell.spans;
            failed += cell.failed;
            QCOMPARE(cell.slowest.isNone(), cell.spans == 0);
        }
        QCOMPARE(spans, std::uint32_t(7));
        QCOMPARE(failed, std::uint32_t(1));
        const LatencyMap::Cell &slowest = map.at(map.columnOf(0), map.rowOf(100));
        QCOMPARE(table.durationNs(slowest.slowest), std::int64_t(100));
        QVERIFY(latencyMap(table, {}, 3, 4).isEmpty());
    }
    void latenciesAreCountedOnALogarithmicScale()
    {
        const auto evaluation = evaluated(dataSetOf(". 1\n", "1.1 0..1 a x\n1.2 0..10 a x\n1.3 0..100 a x\n"
                                                             "1.4 0..1000 a! x\n1.5 0..9999 a x\n"
                                                             "1.6 7..7 a instant\n"));
        const LatencyHistogram histogram =
            latencyHistogram(evaluation->study->table, evaluation->groups.spans, 4);
        QCOMPARE(histogram.counts, (std::vector<std::uint32_t>{2, 1, 1, 2}));
        QCOMPARE(histogram.failed, (std::vector<std::uint32_t>{0, 0, 0, 1}));
        QCOMPARE(histogram.beginOf(2), std::int64_t(100));
    }

    void laterSnapshotsAreStudiedAnew()
    {
        Store store;
        TraceEvaluator evaluator;
        store.append(spansOf("1.2<1.1 10..20 a child\n"));
        const auto before = *evaluator.evaluate(store.publish(), Lens());
        store.append(spansOf("1.1 0..30 a root\n"));
        const auto after = *evaluator.evaluate(store.publish(), Lens());
        COMPARE_TEXT(tracesText(*before), "1 child a 10+10 1 0 0 0 0\n");
        COMPARE_TEXT(tracesText(*after), "1 root a 0+30 2 0 0 0 0\n");
    }

    void estimatedTimeIsThatOfSamplesWithoutALink()
    {
        const auto snapshot = dataSetOf("period: cpu/nanoseconds 10\nrun 1 | tid:1 @5\nrun 1 | tid:1 @25\n",
                                        "1.1 0..30 a x | tid:1\n");
        QCOMPARE(evaluated(snapshot)->traces.at(0).samples, std::uint64_t(0));
        const auto estimated = evaluated(snapshot, "estimated");
        QCOMPARE(estimated->traces.at(0).samples, std::uint64_t(2));
        QCOMPARE(estimated->traces.at(0).onCpuNs, std::int64_t(20));
        QCOMPARE(waterfall(*estimated, 1).rows.at(0).unobservedNs(), std::int64_t(10));
        COMPARE_TEXT(shownSpans(*evaluated(snapshot, "/run/ estimated")), "1.1");
        COMPARE_TEXT(shownSpans(*evaluated(snapshot, "/run/")), "");
    }

    void samplesAreShownWhenTheyWereTaken()
    {
        const auto evaluation = evaluated(shop());
        const Waterfall trace = waterfall(*evaluation, 1);
        const TraceSamples samples = *traceSamples(*evaluation->study->snapshot, trace, nullptr, {});
        QCOMPARE(samples.ticks.size(), std::size_t(4));
        for (std::uint32_t row = 0; row < 4; ++row)
            QCOMPARE(samples.ofRow(row).size(), std::size_t(1));
        const std::int64_t expected[] = {1, 20, 30, 60};
        for (std::size_t row = 0; row < 4; ++row) {
            const double begin = samples.beginOf(samples.ofRow(static_cast<std::uint32_t>(row))[0].step);
            QVERIFY(begin <= static_cast<double>(expected[row]));
            QVERIFY(begin + samples.stepNs > static_cast<double>(expected[row]));
        }
    }

    // Log records

    void logRecordsFollowTheLens()
    {
        Store store;
        store.append(spansOf(kSpans));
        store.append(logsOf("1.4 70 error shop cannot parse\n"
                            "1.2 20 info shop cart of Ann\n"
                            "- 5 debug gate started\n"
                            "2.2 210 warn shop Cart is large\n"
                            "- 300 unknown gate whatever\n"));
        const auto snapshot = store.publish();
        const auto listed = [&](std::string_view lens, const LogFilter &filter = {}) {
            std::string text;
            const auto rows = *logList(*snapshot, *parseLens(lens), filter, {});
            for (const std::uint32_t row : *rows) {
                const LogRecord &record = logRecord(*snapshot, row);
                text += std::to_string(record.timeNs) + ' ' + severityText(*snapshot, record) + '\n';
            }
            return text;
        };
        COMPARE_TEXT(listed(""), "5 debug\n20 info\n70 error\n210 warn\n300 \n");
        COMPARE_TEXT(listed("", {.leastSeverity = kSeverityWarn, .text = {}}), "70 error\n210 warn\n300 \n");
        COMPARE_TEXT(listed("", {.leastSeverity = 0, .text = "CART"}), "20 info\n210 warn\n");
        COMPARE_TEXT(listed("span=cart"), "20 info\n70 error\n210 warn\n");
        COMPARE_TEXT(listed("span=cart nochildren"), "20 info\n210 warn\n");
        COMPARE_TEXT(listed("@service=gate"), "5 debug\n300 \n");
        COMPARE_TEXT(listed("time=1970-01-01T00:00:00.000000100Z.."), "210 warn\n300 \n");
    }

    void logRecordsAreMarkedInTheirSpans()
    {
        Store store;
        store.append(spansOf(kSpans));
        store.append(
            logsOf("1.4 70 error shop b\n1.2 20 info shop a\n2.2 210 warn shop c\n- 5 info shop d\n"));
        const auto evaluation = evaluated(store.publish());
        const Waterfall trace = waterfall(*evaluation, 1);
        const auto marks = *logMarks(*evaluation->study->snapshot, trace, {});
        QCOMPARE(marks.size(), std::size_t(2));
        QCOMPARE(marks[0].timeNs, std::int64_t(20));
        QCOMPARE(marks[0].row, 1U);
        QCOMPARE(marks[1].severity, kSeverityError);
        QCOMPARE(marks[1].row, 3U);
    }

    // Properties

    void theCriticalPathIsAsLongAsItsRoot()
    {
        QVERIFY(rc::check("steps follow each other from the root's start to its end", [] {
            const auto evaluation = evaluated(dataSetOf(". 1\n", someTrace()));
            const Waterfall trace = waterfall(*evaluation, 1);
            const CriticalStep *before = nullptr;
            for (const CriticalStep &step : trace.critical) {
                RC_ASSERT(step.beginNs < step.endNs);
                RC_ASSERT((before == nullptr || before->endNs == step.beginNs));
                RC_ASSERT(trace.rows[step.row].startNs <= step.beginNs);
                RC_ASSERT(trace.rows[step.row].endNs() >= step.endNs);
                before = &step;
            }
            std::int64_t longest = 0;
            for (const WaterfallRow &row : trace.rows)
                if (row.parent == WaterfallRow::kNone)
                    longest = std::max(longest, row.durationNs);
            const std::int64_t length =
                trace.critical.empty() ? 0 : trace.critical.back().endNs - trace.critical.front().beginNs;
            RC_ASSERT(length == longest);
        }));
    }

    void everySpanOfATraceIsARowOfItsWaterfall()
    {
        QVERIFY(rc::check("rows are the spans, each within its parent's rows", [] {
            const auto evaluation = evaluated(dataSetOf(". 1\n", someTrace()));
            const SpanTable &table = evaluation->study->table;
            const Waterfall trace = waterfall(*evaluation, 1);
            std::vector<SpanRow> rows;
            for (std::uint32_t i = 0; i < trace.rows.size(); ++i) {
                const WaterfallRow &row = trace.rows[i];
                rows.push_back(row.span);
                RC_ASSERT((row.end > i && row.end <= trace.rows.size()));
                if (row.parent == WaterfallRow::kNone)
                    continue;
                RC_ASSERT((row.parent < i && row.end <= trace.rows[row.parent].end));
                RC_ASSERT(row.depth == trace.rows[row.parent].depth + 1);
            }
            std::ranges::sort(rows);
            std::vector<SpanRow> expected;
            for (std::size_t i = 0; i < table.size(); ++i)
                if (!table.trace(SpanRow(i)).isNone())
                    expected.emplace_back(i);
            RC_ASSERT(rows == expected);
        }));
    }

    void groupsAndTracesHaveEverySpanOnce()
    {
        QVERIFY(rc::check("counts add up", [] {
            const auto evaluation = evaluated(dataSetOf(". 1\n", someTrace()));
            const SpanTable &table = evaluation->study->table;
            std::size_t grouped = 0;
            for (const SpanGroup &group : evaluation->groups.groups) {
                grouped += group.count;
                std::vector<std::int64_t> durations;
                for (const SpanRow row : evaluation->groups.spansOf(group))
                    durations.push_back(table.durationNs(row));
                std::ranges::sort(durations);
                RC_ASSERT(durations.back() == group.longestNs);
                RC_ASSERT(durations[(durations.size() - 1) / 2] == group.p50Ns);
            }
            RC_ASSERT(grouped == table.size());
            const LatencyHistogram histogram = latencyHistogram(table, evaluation->groups.spans, 7);
            RC_ASSERT(std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::size_t(0)) ==
                      table.size());
        }));
    }
};

QTEST_GUILESS_MAIN(TracesTest)
#include "tst_traces.moc"
