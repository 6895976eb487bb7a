#include "model/store/store.h"
#include "model/views/timeline_records.h"
#include "tests/support/spans_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <cmath>
#include <initializer_list>
#include <string>

using namespace hearth;
using namespace hearth::test;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

struct Measured {
    std::uint64_t second;
    double value;
    std::uint32_t context = 0; ///< 0 or 1
    std::uint64_t start = 0;   ///< second
};

Batch metricOf(const std::string &name, MetricKind kind, Temporality temporality, bool isMonotonic,
               std::initializer_list<Measured> points)
{
    Batch batch;
    batch.contexts.push_back({.resource = {}, .scope = {}, .sample = {}});
    batch.attributes.push_back(
        {.bits = 1, .key = batch.addString("host"), .unit = {}, .type = AttributeType::Int});
    batch.attributeLists.emplace_back(std::size_t(0));
    batch.attributeSets.push_back({0, 1});
    batch.contexts.back().sample = AttributeSetId(1);
    batch.metrics.push_back({.name = batch.addString(name),
                             .description = {},
                             .unit = batch.addString("By"),
                             .metadata = {},
                             .kind = kind,
                             .temporality = temporality,
                             .isMonotonic = isMonotonic ? std::uint8_t(1) : std::uint8_t(0)});
    for (const Measured &measured : points) {
        MetricPoint point;
        point.startNs = measured.start * kSecond;
        point.timeNs = measured.second * kSecond;
        point.value = Number::of(measured.value);
        point.context = ContextId(measured.context);
        batch.points.rows.push_back(point);
    }
    return batch;
}

/// Ten seconds in ten bins.
TimelineRecords recordsOf(const Snapshot &snapshot, std::size_t mostTracks = 10)
{
    const TimeRange range{0, static_cast<std::int64_t>(10 * kSecond) - 1};
    return *timelineRecords(snapshot, range, 10, mostTracks, {});
}

std::string trackText(const MetricTrack &track)
{
    std::string text = track.name + ' ' + track.unit + ':';
    for (const double value : track.values)
        text += ' ' + (std::isnan(value) ? std::string("-") : std::to_string(std::lround(value)));
    return text;
}

std::string tracksText(const Snapshot &snapshot)
{
    std::string text;
    for (const MetricTrack &track : recordsOf(snapshot).tracks)
        text += trackText(track) + '\n';
    return text;
}

std::shared_ptr<const Snapshot> stored(Batch batch)
{
    Store store;
    store.append(std::move(batch));
    return store.publish();
}

} // namespace

class TimelineRecordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGaugeIsItsMean()
    {
        COMPARE_TEXT(tracksText(*stored(metricOf("queue", MetricKind::Gauge, Temporality::Unspecified, false,
                                                 {{1, 4}, {1, 6}, {3, 8}, {20, 100}}))),
                     "queue By: - 5 - 8 - - - - - -\n");
    }

    void aSumIsHowFastItGrows()
    {
        COMPARE_TEXT(tracksText(*stored(metricOf("sent", MetricKind::Sum, Temporality::Delta, true,
                                                 {{1, 4}, {1, 6}, {3, 8}}))),
                     "sent By/s: - 10 - 8 - - - - - -\n");
        COMPARE_TEXT(tracksText(*stored(metricOf("sent", MetricKind::Sum, Temporality::Cumulative, true,
                                                 {{1, 100}, {2, 130}, {3, 130}, {5, 190}}))),
                     "sent By/s: - - 30 0 - 60 - - - -\n");
    }

    void whoReportsASumCountsAlone()
    {
        COMPARE_TEXT(tracksText(*stored(metricOf("sent", MetricKind::Sum, Temporality::Cumulative, true,
                                                 {{1, 100, 0}, {1, 5000, 1}, {2, 103, 0}, {2, 5004, 1}}))),
                     "sent By/s: - - 7 - - - - - - -\n");
    }

    void aRestartCountsFromNothing()
    {
        COMPARE_TEXT(tracksText(*stored(metricOf("sent", MetricKind::Sum, Temporality::Cumulative, true,
                                                 {{1, 100}, {2, 7}, {3, 9, 0, 0}, {4, 50, 0, 3}}))),
                     "sent By/s: - - 7 2 41 - - - - -\n");
    }

    void pointsThatArriveLateAreNotCountedTwice()
    {
        COMPARE_TEXT(tracksText(*stored(metricOf("sent", MetricKind::Sum, Temporality::Cumulative, true,
                                                 {{1, 10}, {4, 40}, {3, 30}, {5, 50}}))),
                     "sent By/s: - - - - 30 10 - - - -\n");
    }

    void aSumThatMayFallIsALevel()
    {
        COMPARE_TEXT(tracksText(*stored(metricOf("used", MetricKind::Sum, Temporality::Cumulative, false,
                                                 {{1, 9}, {2, 5}}))),
                     "used By: - 9 5 - - - - - - -\n");
    }

    void aHistogramIsTheMeanOfWhatWasMeasured()
    {
        Batch batch =
            metricOf("latency", MetricKind::Histogram, Temporality::Cumulative, false, {{1, 0}, {2, 0}});
        batch.points.distributions.push_back({.count = 2, .sum = 10});
        batch.points.distributions.push_back({.count = 4, .sum = 40});
        for (std::uint32_t i = 0; i < 2; ++i) {
            batch.points.rows[i].distribution = i;
            batch.points.rows[i].value = {};
        }
        COMPARE_TEXT(tracksText(*stored(std::move(batch))), "latency By: - - 15 - - - - - - -\n");
    }

    void theMetricsWithTheMostPointsAreShown()
    {
        Store store;
        store.append(metricOf("few", MetricKind::Gauge, Temporality::Unspecified, false, {{1, 1}, {2, 2}}));
        store.append(
            metricOf("many", MetricKind::Gauge, Temporality::Unspecified, false, {{1, 1}, {2, 2}, {3, 3}}));
        store.append(metricOf("one", MetricKind::Gauge, Temporality::Unspecified, false, {{1, 1}}));
        const TimelineRecords records = recordsOf(*store.publish(), 1);
        QCOMPARE(records.tracks.size(), std::size_t(1));
        COMPARE_TEXT(records.tracks[0].name, "many");
        QCOMPARE(records.hiddenTracks, std::size_t(1)); // one point makes no line
        QCOMPARE(records.tracks[0].low, 1.0);
        QCOMPARE(records.tracks[0].high, 3.0);
    }

    void logRecordsAreCountedWhereTheyAre()
    {
        const auto snapshot =
            stored(logsOf("- 1000000000 info a x\n- 1500000000 error a y\n- 9000000000 warn a z\n"
                          "- 99000000000 fatal a late\n"));
        const TimelineRecords records = recordsOf(*snapshot);
        QVERIFY(records.hasLogs());
        QCOMPARE(records.logs, (std::vector<std::uint32_t>{0, 2, 0, 0, 0, 0, 0, 0, 0, 1}));
        QCOMPARE(records.logSeverity[1], 17U);
        QCOMPARE(records.logSeverity[9], 13U);
        QVERIFY(!recordsOf(*stored(logsOf(""))).hasLogs());
    }

    void whateverIsMeasuredTheRangeHoldsAllValues()
    {
        QVERIFY(rc::check("values are numbers between low and high", [] {
            Batch batch = metricOf("any", *rc::gen::element(MetricKind::Gauge, MetricKind::Sum),
                                   *rc::gen::element(Temporality::Delta, Temporality::Cumulative),
                                   *rc::gen::arbitrary<bool>(), {});
            const auto values = *rc::gen::arbitrary<std::vector<std::pair<std::uint64_t, double>>>();
            for (const auto &[time, value] : values) {
                MetricPoint point;
                point.timeNs = time % (12 * kSecond);
                point.value = Number::of(value);
                batch.points.rows.push_back(point);
            }
            for (const MetricTrack &track : recordsOf(*stored(std::move(batch))).tracks)
                for (const double value : track.values)
                    RC_ASSERT((std::isnan(value) || (track.low <= value && value <= track.high)));
        }));
    }
};

QTEST_GUILESS_MAIN(TimelineRecordsTest)
#include "tst_timeline_records.moc"
