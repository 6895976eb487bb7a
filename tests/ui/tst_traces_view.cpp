#include "model/lens/lens_text.h"
#include "model/views/neighbours.h"
#include "tests/support/eventually.h"
#include "tests/support/profile_text.h"
#include "tests/support/spans_text.h"
#include "ui/chart/chart_view.h"
#include "ui/commands/palette.h"
#include "ui/compare/compare_view.h"
#include "ui/flame/flame_page.h"
#include "ui/log/log_model.h"
#include "ui/records/record_model.h"
#include "ui/records/records_view.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"
#include "ui/traces/group_model.h"
#include "ui/traces/latency_view.h"
#include "ui/traces/scatter_view.h"
#include "ui/traces/span_details.h"
#include "ui/traces/trace_model.h"
#include "ui/traces/traces_view.h"
#include "ui/traces/waterfall_view.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

using namespace hearth;

namespace {

const char *const kSamples = "period: cpu/nanoseconds 1000000\n"
                             "handle;parse 30 | ~1.2 @1000000020000000\n"
                             "handle 10 | ~1.2 @1000000030000000\n"
                             "handle;parse 2 | ~2.2 @1000000220000000\n"
                             "query 5 | ~1.3 @1000000050000000\n"
                             "idle 100 | @1000000300000000\n";
const char *const kSpans = "1.1 1000000000000000..1000000100000000 gate GET /cart | http.route=/cart\n"
                           "1.2<1.1 1000000010000000..1000000090000000 shop cart\n"
                           "1.3<1.2 1000000040000000..1000000060000000 db! select\n"
                           "2.1 1000000200000000..1000000230000000 gate GET /cart\n"
                           "2.2<2.1 1000000210000000..1000000225000000 shop cart\n"
                           "3.1 1000000250000000..1000000251000000 gate POST /order\n";

QStringList cells(const QTableView &table, int column)
{
    QStringList texts;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        texts += table.model()->index(row, column).data().toString();
    return texts;
}

} // namespace

/// The Traces tab as people use it: with the mouse and with keys.
class TestTracesView : public QObject {
    Q_OBJECT

    LogModel m_log;
    std::unique_ptr<MainWindow> m_window;

    TracesView &view() { return *m_window->traces(); }
    Session &session() { return m_window->session(); }
    QString lens() { return QString::fromStdString(printLens(session().lens())); }

    /// Until nothing is computed any more.
    void settle() { EVENTUALLY(!session().isEvaluating() && !view().isStudying()); }
    /// Those of 70 ms and more.
    void brushSlowSpans()
    {
        LatencyView &latencies = *view().latencies();
        const auto y = latencies.height() / 2;
        const auto from = static_cast<int>(latencies.scene().placeOf(70'000'000));
        QTest::mousePress(&latencies, Qt::LeftButton, {}, {from, y});
        QTest::mouseMove(&latencies, {from + 10, y});
        QTest::mouseMove(&latencies, {latencies.width(), y});
        QTest::mouseRelease(&latencies, Qt::LeftButton, {}, {latencies.width(), y});
        settle();
    }
    void clickRow(QTableView &table, int row)
    {
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(row, 0)).center());
        settle();
    }
    QPoint placeOfSpan(std::size_t row) { return view().waterfall()->scene().row(row).center(); }
    QStringList names()
    {
        const CallTree &tree = *session().evaluation()->tree;
        QStringList names;
        for (const NodeId node : tree.heaviestChildren(TreeShape::kRoot))
            names += QString::fromStdString(std::string(tree.entries()[tree.entryOf(node)].name));
        return names;
    }
    QString currentSpan()
    {
        const WaterfallScene &scene = view().waterfall()->scene();
        return scene.current ? scene.nameOf(scene.waterfall->rows[*scene.current]) : QString();
    }

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-traces"));
        QSettings().clear();
        applyTheme(ThemeKind::Light);
    }
    void init()
    {
        m_window = std::make_unique<MainWindow>(m_log);
        m_window->resize(1300, 900);
        m_window->show();
        m_window->showDataSet(test::dataSetOf(kSamples, kSpans), QStringLiteral("test"));
        m_window->views()->setCurrentWidget(&view());
        settle();
        EVENTUALLY_COMPARE(view().groups()->model()->rowCount(), 4);
    }
    void cleanup() { m_window.reset(); }

    void groupsAndTheSlowestTraceAreShownAtFirst()
    {
        QCOMPARE(cells(*view().groups(), GroupModel::Count), QStringList({"2", "2", "1", "1"}));
        QCOMPARE(cells(*view().traces(), TraceModel::Name),
                 QStringList({"GET /cart", "GET /cart", "POST /order"}));
        QCOMPARE(view().waterfall()->scene().rows(), std::size_t(3));
        QCOMPARE(lens(), QString());
    }
    void aClickOnAGroupShowsItsCode()
    {
        const int row =
            static_cast<int>(cells(*view().groups(), GroupModel::Name).indexOf(QStringLiteral("select")));
        clickRow(*view().groups(), row);
        QCOMPARE(lens(), QStringLiteral("span=select span@service=db"));
        QCOMPARE(names(), QStringList({"query"}));
        QCOMPARE(view().groups()->model()->rowCount(), 4); // or one could choose once
        QCOMPARE(view().traces()->model()->rowCount(), 1);
        QTest::keyClick(view().groups(), Qt::Key_Escape);
        QCOMPARE(lens(), QString());
    }
    void keysWalkThroughGroups()
    {
        view().groups()->setFocus();
        QTest::keyClick(view().groups(), Qt::Key_Down);
        settle();
        QVERIFY(view().choice().name.has_value());
        const QString first = lens();
        QTest::keyClick(view().groups(), Qt::Key_Down);
        settle();
        QVERIFY(lens() != first);
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        settle();
        QCOMPARE(lens(), first);
    }
    void aClickOnATraceShowsItWhole()
    {
        view().showTraces(true);
        clickRow(*view().traces(), 1);
        QCOMPARE(lens(), QStringLiteral("trace=00000000000000000000000000000002"));
        QCOMPARE(view().waterfall()->scene().rows(), std::size_t(2));
        QCOMPARE(names(), QStringList({"handle"}));
    }
    void tracesAreOrderedByTheirHeader()
    {
        view().showTraces(true);
        const QHeaderView &header = *view().traces()->horizontalHeader();
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                          {header.sectionViewportPosition(TraceModel::Start) + 10, header.height() / 2});
        settle();
        const QStringList starts = cells(*view().traces(), TraceModel::Start);
        QStringList sorted = starts;
        std::sort(sorted.begin(), sorted.end());
        QVERIFY(starts == sorted || starts == QStringList(sorted.rbegin(), sorted.rend()));
    }
    void aClickOnASpanShowsWhatRanInIt()
    {
        QTest::mouseClick(view().waterfall()->viewport(), Qt::LeftButton, {}, placeOfSpan(1));
        settle();
        QCOMPARE(currentSpan(), QStringLiteral("cart"));
        QCOMPARE(lens(), QStringLiteral("trace=00000000000000000000000000000001 spanid=0000000000000002"));
        QCOMPARE(names(), QStringList({"handle", "query"}));
        QVERIFY(view().details()->asText().contains(QStringLiteral("0000000000000002")));
        QTest::mouseDClick(view().waterfall()->viewport(), Qt::LeftButton, {}, placeOfSpan(1));
        QCOMPARE(m_window->views()->currentWidget(), static_cast<QWidget *>(m_window->flames()));
    }
    void keysWalkThroughATrace()
    {
        view().waterfall()->setFocus();
        QTest::keyClick(view().waterfall(), Qt::Key_Down);
        QTest::keyClick(view().waterfall(), Qt::Key_Down);
        settle();
        QCOMPARE(currentSpan(), QStringLiteral("cart"));
        QVERIFY(
            view().waterfall()->accessibleDescription().startsWith(QStringLiteral("cart, shop, level 2")));
        QTest::keyClick(view().waterfall(), Qt::Key_End);
        settle();
        QCOMPARE(currentSpan(), QStringLiteral("select"));
        QTest::keyClick(view().waterfall(), Qt::Key_Return);
        QCOMPARE(m_window->views()->currentWidget(), static_cast<QWidget *>(m_window->flames()));
    }
    void errorsAreFoundByAKey()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        settle();
        QCOMPARE(currentSpan(), QStringLiteral("select"));
    }
    void attributesOfASpanAreShown()
    {
        QTest::mouseClick(view().waterfall()->viewport(), Qt::LeftButton, {}, placeOfSpan(0));
        settle();
        const QString text = view().details()->asText();
        QVERIFY2(text.contains(QStringLiteral("http.route\t/cart")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("service.name\tgate")), qPrintable(text));
    }
    void aBandOfLatenciesIsBrushed()
    {
        LatencyView &latencies = *view().latencies();
        brushSlowSpans();
        QVERIFY2(lens().startsWith(QStringLiteral("duration>=")), qPrintable(lens()));
        QCOMPARE(view().traces()->model()->rowCount(), 1);
        QCOMPARE(names(), QStringList({"handle", "query"}));
        latencies.setFocus();
        QTest::keyClick(&latencies, Qt::Key_Escape);
        settle();
        QCOMPARE(lens(), QString());
    }
    void slowMinusFastIsOneClick()
    {
        QVERIFY(!view().slowMinusFast()->isVisible()); // nothing is slow yet
        brushSlowSpans();
        QTest::mouseClick(view().slowMinusFast(), Qt::LeftButton);
        const CompareView &compare = *m_window->compare();
        QCOMPARE(m_window->views()->currentWidget(), static_cast<const QWidget *>(&compare));
        EVENTUALLY(!compare.isComparing() && compare.difference());
        // 45 samples are of the two spans that last that long, 7 of the four others.
        QVERIFY2(compare.difference()->scaling.factor == 2, qPrintable(compare.summary()->text()));
        QCOMPARE(compare.difference()->whole().base, std::int64_t(7));
        QCOMPARE(compare.difference()->whole().current, std::int64_t(90));
    }
    void aRequestIsOneChartOnTheAxisOfItsTrace()
    {
        clickRow(*view().groups(), 0);
        QTest::mouseClick(view().waterfall()->viewport(), Qt::LeftButton, {}, placeOfSpan(1));
        settle();
        QTest::mouseClick(view().inTime(), Qt::LeftButton);
        const ChartScene &chart = view().chart()->scene();
        EVENTUALLY(chart.chart && !view().chart()->isBusy() && !chart.rows.empty());
        QCOMPARE(chart.shown.begin, std::int64_t(1000000000000000));
        QCOMPARE(chart.shown.end, std::int64_t(1000000100000000));
        std::size_t samples = 0;
        for (const ChartLane &lane : chart.chart->lanes)
            samples += lane.stacks.size();
        QCOMPARE(samples, std::size_t(3)); // of the span and its child
    }
    void detailsNameTheThreadsOfASpan()
    {
        m_window->showDataSet(test::dataSetOf("period: cpu/nanoseconds 10\n"
                                              "work 1 | thread=worker process=shop ~7.1 @1000000000000000\n"
                                              "work 1 | thread=worker process=shop ~7.1 @1000000000000010\n",
                                              ""),
                              QStringLiteral("threads"));
        settle();
        EVENTUALLY(view().details()->asText().contains(QStringLiteral("worker · shop\t2 samples")));
    }
    void thePaletteGoesToSpansAndTraces()
    {
        m_window->views()->setCurrentWidget(m_window->flames());
        Palette &palette = *m_window->goTo();
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier);
        QTest::keyClicks(palette.edit(), QStringLiteral("POST"));
        EVENTUALLY_COMPARE(palette.list()->currentIndex().data().toString(), QStringLiteral("POST /order"));
        QTest::keyClick(palette.edit(), Qt::Key_Return);
        QCOMPARE(m_window->views()->currentWidget(), static_cast<QWidget *>(&view()));
        QCOMPARE(lens(), QStringLiteral("span=\"POST /order\""));
        settle();
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier);
        QTest::keyClicks(palette.edit(),
                         QStringLiteral("0000000000000000000000000000000") + QLatin1Char('2'));
        EVENTUALLY(palette.list()->currentIndex().data().toString().endsWith(QStringLiteral("02")));
        QTest::keyClick(palette.edit(), Qt::Key_Return);
        QVERIFY2(lens().startsWith(QStringLiteral("trace=")), qPrintable(lens()));
    }
    void overTimeAClickChoosesASpanAndADragABand()
    {
        QTest::mouseClick(view().overTime(), Qt::LeftButton);
        ScatterView &scatter = *view().scatter();
        EVENTUALLY(scatter.isVisible());
        const LatencyMap &map = scatter.scene().map;
        const auto placeOf = [&](std::int64_t start, std::int64_t duration) {
            return scatter.scene().cell(map.columnOf(start), map.rowOf(duration)).center().toPoint();
        };
        const QPoint slowest = placeOf(1000000000000000, 100'000'000);
        QTest::mouseClick(&scatter, Qt::LeftButton, {}, slowest);
        settle();
        QCOMPARE(currentSpan(), QStringLiteral("GET /cart"));
        QVERIFY2(lens().contains(QStringLiteral("spanid=")), qPrintable(lens()));
        session().undo();
        settle();
        const QPoint short_ = placeOf(1000000250000000, 1'000'000);
        QTest::mousePress(&scatter, Qt::LeftButton, {}, {slowest.x(), 2});
        QTest::mouseMove(&scatter, {slowest.x(), 20});
        QTest::mouseMove(&scatter, {slowest.x(), short_.y() - 8});
        QTest::mouseRelease(&scatter, Qt::LeftButton, {}, {slowest.x(), short_.y() - 8});
        settle();
        QVERIFY2(lens().contains(QStringLiteral("duration")), qPrintable(lens()));
        QVERIFY2(!lens().contains(QStringLiteral("time=")), qPrintable(lens()));
        QCOMPARE(view().traces()->model()->rowCount(), 2);
    }
    void aBandIsChosenByKeys()
    {
        view().latencies()->setFocus();
        QTest::keyClick(view().latencies(), Qt::Key_Left);
        settle();
        QVERIFY(view().choice().fromNs && view().choice().toNs);
        QCOMPARE(view().traces()->model()->rowCount(), 1);
    }
    void spansAreSearched()
    {
        m_window->commands()[QStringLiteral("search")]->trigger();
        QVERIFY(view().search()->hasFocus());
        QTest::keyClicks(view().search(), QStringLiteral("CART service=shop duration>50ms"));
        settle();
        EVENTUALLY_COMPARE(cells(*view().groups(), GroupModel::Name), QStringList({"cart"}));
        QCOMPARE(cells(*view().groups(), GroupModel::Count), QStringList({"1"}));
        QCOMPARE(lens(), QString());
        view().search()->setText(QStringLiteral("duration>"));
        QVERIFY(!view().search()->toolTip().isEmpty());
    }
    void fromAFunctionOneComesToItsSpans()
    {
        m_window->views()->setCurrentWidget(m_window->flames());
        const CallTree &tree = *session().evaluation()->tree;
        session().selectEntry(*entryNamed(tree, "parse"));
        m_window->commands()[QStringLiteral("spans-of")]->trigger();
        settle();
        QCOMPARE(m_window->views()->currentWidget(), static_cast<QWidget *>(&view()));
        QCOMPARE(cells(*view().groups(), GroupModel::Name), QStringList({"cart"}));
        QCOMPARE(cells(*view().groups(), GroupModel::Count), QStringList({"2"}));
        QCOMPARE(view().traces()->model()->rowCount(), 2);
    }
    void aLensFromElsewhereIsFollowed()
    {
        session().setLens(*parseLens("span=cart span@service=shop"));
        settle();
        QCOMPARE(view().choice().name, std::optional<std::string>("cart"));
        const int row = view().groups()->currentIndex().row();
        QCOMPARE(cells(*view().groups(), GroupModel::Name).at(row), QStringLiteral("cart"));
        session().undo();
        settle();
        QVERIFY(!view().choice().isAnything());
    }
    void childrenAreIncludedOrNot()
    {
        QTest::mouseClick(view().waterfall()->viewport(), Qt::LeftButton, {}, placeOfSpan(1));
        settle();
        session().setLens(*parseLens(lens().toStdString() + " nochildren"));
        settle();
        QCOMPARE(names(), QStringList({"handle"}));
    }
    void barsAreFilledByWhatWasObserved()
    {
        const WaterfallScene &scene = view().waterfall()->scene();
        const QImage image = view().waterfall()->viewport()->grab().toImage();
        const QRectF bar = scene.bar(scene.waterfall->rows[1]); // 80 ms, of which 40 on a processor
        const auto colorAt = [&](double share) {
            const QPointF place(bar.left() + share * bar.width(), bar.center().y() + 2);
            return image.pixelColor((place * image.devicePixelRatio()).toPoint());
        };
        QCOMPARE(colorAt(0.2), serviceColor("shop"));
        QVERIFY(colorAt(0.8) != serviceColor("shop"));
    }
    void logRecordsLeadToTheirSpanAndToTheSamplesAroundThem()
    {
        Store store;
        store.append(test::batchOf(kSamples));
        store.append(test::spansOf(kSpans));
        store.append(
            test::logsOf("1.3 1000000050000000 error db deadlock\n- 1000000220000000 info gate done\n"));
        m_window->showDataSet(store.publish(), QStringLiteral("logs"));
        RecordsView &records = *m_window->records();
        m_window->views()->setCurrentWidget(&records);
        EVENTUALLY_COMPARE(cells(*records.table(), RecordModel::Body), QStringList({"deadlock", "done"}));
        QTest::keyClicks(records.filter(), QStringLiteral("dead"));
        EVENTUALLY_COMPARE(cells(*records.table(), RecordModel::Severity), QStringList({"error"}));
        records.table()->setCurrentIndex(records.table()->model()->index(0, 0));
        QTest::keyClick(records.table(), Qt::Key_Return);
        QCOMPARE(m_window->views()->currentWidget(), static_cast<QWidget *>(&view()));
        settle();
        EVENTUALLY_COMPARE(currentSpan(), QStringLiteral("select"));
        QCOMPARE(view().waterfall()->scene().logs->size(), std::size_t(1));
        QVERIFY(view().details()->asText().contains(QStringLiteral("deadlock")));
        m_window->views()->setCurrentWidget(&records);
        EVENTUALLY(!records.isListing());
        records.table()->setCurrentIndex(records.table()->model()->index(0, 0));
        records.showAround();
        QVERIFY2(lens().startsWith(QStringLiteral("time=1970-01-12T13:46:39.95Z..1970-01-12T13:46:40.15Z")),
                 qPrintable(lens()));
    }
    void spansWithoutSamplesAreShownAndWhatIsChosenStaysWhenMoreArrive()
    {
        Store store;
        store.append(test::spansOf("1.1 1000..9000 a x\n1.2<1.1 2000..3000 a y\n"));
        m_window->showDataSet(store.publish(), QStringLiteral("spans"));
        settle();
        EVENTUALLY_COMPARE(view().groups()->model()->rowCount(), 2);
        QTest::mouseClick(view().waterfall()->viewport(), Qt::LeftButton, {}, placeOfSpan(1));
        settle();
        QCOMPARE(currentSpan(), QStringLiteral("y"));
        store.append(test::spansOf("1.3<1.1 4000..5000 a z\n"));
        session().updateDataSet(store.publish());
        settle();
        EVENTUALLY_COMPARE(view().groups()->model()->rowCount(), 3);
        QCOMPARE(currentSpan(), QStringLiteral("y"));
        QCOMPARE(view().waterfall()->scene().rows(), std::size_t(3));
    }
    void linksAreEstimatedWhenAskedFor()
    {
        m_window->showDataSet(test::dataSetOf("run 3 | tid:1 @1000000000000005\n",
                                              "1.1 1000000000000000..1000000000000009 a x | tid:1\n"),
                              QStringLiteral("unlinked"));
        settle();
        EVENTUALLY_COMPARE(view().waterfall()->scene().rows(), std::size_t(1));
        QTest::mouseClick(view().waterfall()->viewport(), Qt::LeftButton, {}, placeOfSpan(0));
        settle();
        QCOMPARE(session().evaluation()->matched, std::int64_t(0));
        QTest::mouseClick(view().estimate(), Qt::LeftButton);
        settle();
        QVERIFY(lens().endsWith(QStringLiteral(" estimated")));
        QCOMPARE(session().evaluation()->matched, std::int64_t(3));
        QCOMPARE(view().waterfall()->scene().samples->ticks.size(), std::size_t(1));
    }
    void metricsAndLogRecordsStandOnTheTimeline()
    {
        Batch points;
        points.metrics.push_back(
            {.name = points.addString("queue"), .description = {}, .unit = {}, .metadata = {}});
        for (const std::uint64_t ms : {0U, 100U, 200U}) {
            MetricPoint point;
            point.timeNs = 1'000'000'000'000'000 + ms * 1'000'000;
            point.value = Number::of(static_cast<double>(ms));
            points.points.rows.push_back(point);
        }
        Store store;
        store.append(test::batchOf(kSamples));
        store.append(std::move(points));
        store.append(test::logsOf("- 1000000100000000 error gate refused\n"));
        m_window->showDataSet(store.publish(), QStringLiteral("metrics"));
        const TimelineScene &scene = m_window->timeline()->scene();
        EVENTUALLY(scene.records != nullptr && scene.records->tracks.size() == 1);
        QVERIFY(scene.records->hasLogs());
        QCOMPARE(scene.rows(), scene.activity->lanes.size() + 1);
        QTest::mouseClick(m_window->timeline()->viewport(), Qt::LeftButton, {},
                          scene.row(scene.firstTrack()).topLeft() + QPoint(20, 8));
        QCOMPARE(lens(), QString()); // a track narrows nothing by a click
        const int y = scene.row(scene.firstTrack()).center().y();
        QTest::mousePress(m_window->timeline()->viewport(), Qt::LeftButton, {}, {scene.left() + 20, y});
        QTest::mouseMove(m_window->timeline()->viewport(), {scene.left() + 120, y});
        QTest::mouseRelease(m_window->timeline()->viewport(), Qt::LeftButton, {}, {scene.left() + 120, y});
        QVERIFY2(lens().startsWith(QStringLiteral("time=")), qPrintable(lens()));
    }
    void logRecordsAloneHaveATimeline()
    {
        Store store;
        store.append(
            test::logsOf("- 1000000000000000 info gate begins\n- 1000000100000000 error gate refused\n"));
        m_window->showDataSet(store.publish(), QStringLiteral("logs"));
        const TimelineScene &scene = m_window->timeline()->scene();
        EVENTUALLY(scene.activity != nullptr && scene.activity->lanes.empty() && scene.records != nullptr);
        QVERIFY(m_window->timeline()->isVisible());
        QCOMPARE(scene.activity->all, (TimeRange{1000000000000000, 1000000100000000}));
        const int y = scene.axis() + 4;
        QTest::mousePress(m_window->timeline()->viewport(), Qt::LeftButton, {}, {scene.left() + 20, y});
        QTest::mouseMove(m_window->timeline()->viewport(), {scene.left() + 120, y});
        QTest::mouseRelease(m_window->timeline()->viewport(), Qt::LeftButton, {}, {scene.left() + 120, y});
        QVERIFY2(lens().startsWith(QStringLiteral("time=")), qPrintable(lens()));
        QTest::keyClick(m_window->timeline(), Qt::Key_Down); // there is no lane to go to
    }
    void anotherDataSetHasOtherTraces()
    {
        QTest::mouseClick(view().waterfall()->viewport(), Qt::LeftButton, {}, placeOfSpan(1));
        settle();
        m_window->showDataSet(test::dataSetOf("main 1\n", "5.1 0..7 a b\n"), QStringLiteral("other"));
        settle();
        EVENTUALLY_COMPARE(cells(*view().groups(), GroupModel::Name), QStringList({"b"}));
        QVERIFY(!view().choice().isAnything());
    }
    void dataWithoutTracesSaysSo()
    {
        m_window->showDataSet(test::dataSetOf("main 1\n", ""), QStringLiteral("none"));
        settle();
        EVENTUALLY(!view().waterfall()->isVisible());
    }
};

QTEST_MAIN(TestTracesView)
#include "tst_traces_view.moc"
