#include "model/lens/lens_text.h"
#include "tests/support/eventually.h"
#include "tests/support/profile_text.h"
#include "ui/chart/chart_page.h"
#include "ui/log/log_model.h"
#include "ui/theme/theme.h"
#include "ui/timeline/time_axis.h"
#include "ui/window/main_window.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSet>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTest>

using namespace hearth;

namespace {

/// Each sample is 100 ms; the worker pauses for half a second.
const char *const kSamples = "period: cpu/nanoseconds 100000000\n"
                             "main;parse 1 | thread=worker cpu=0 @1000000000000000\n"
                             "main;parse 1 | thread=worker cpu=1 @1000000100000000\n"
                             "main;draw 1 | thread=worker cpu=0 @1000000200000000\n"
                             "main;draw 1 | thread=worker cpu=0 @1000000800000000\n"
                             "idle 1 | thread=timer cpu=1 @1000000500000000\n";

} // namespace

/// The Time chart tab as people use it: with the mouse and with keys.
class TestTimeChartView : public QObject {
    Q_OBJECT

    LogModel m_log;
    std::unique_ptr<MainWindow> m_window;

    ChartPage &page() { return *m_window->chart(); }
    ChartView &view() { return *page().view(); }
    Session &session() { return m_window->session(); }
    const ChartScene &scene() { return view().scene(); }
    QString lens() { return QString::fromStdString(printLens(session().lens())); }
    void settle() { EVENTUALLY(!session().isEvaluating() && !view().isBusy()); }

    /// The middle of the first box with this name; fails the test if there is none.
    QPoint placeOf(const char *name)
    {
        for (const ChartRow &row : scene().rows)
            for (const ChartBox &box : row.boxes)
                if (scene().chart->entry(box.node).name == name)
                    return scene().rectOf(row, box).center().toPoint();
        QTest::qFail(name, __FILE__, __LINE__);
        return {};
    }
    void click(const QPoint &place) { QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, place); }
    void show(const char *samples)
    {
        m_window->showDataSet(test::snapshotOf(samples), QStringLiteral("test"));
        m_window->views()->setCurrentWidget(&page());
        settle();
        EVENTUALLY(scene().chart);
    }

private Q_SLOTS:
    void marksOfAnAxisTellMomentsApart_data()
    {
        constexpr std::int64_t kSecond = 1'000'000'000, kNow = 1'795'000'000 * kSecond;
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("end");
        QTest::addColumn<QString>("shape"); // of a mark: digits as they may be
        QTest::newRow("a part of a microsecond") << qint64(kNow) << qint64(kNow + 300) << R"(\d+\.\d{7,9} s)";
        QTest::newRow("some milliseconds")
            << qint64(kNow) << qint64(kNow + 50'000'000) << R"(..:..:..\.\d{3})";
        QTest::newRow("two minutes") << qint64(kNow) << qint64(kNow + 120 * kSecond) << R"(..:..:..)";
        QTest::newRow("a day and a half")
            << qint64(kNow) << qint64(kNow + 130'000 * kSecond) << R"(..-.. ..:..)";
        QTest::newRow("from 1970 to 2026") << qint64(0) << qint64(kNow) << R"(\d{4}-..-..)";
        QTest::newRow("to 2200") << qint64(kNow) << qint64(7'258'118'400 * kSecond) << R"(\d{4}-..-..)";
        QTest::newRow("since the machine started")
            << qint64(1'234'567 * kSecond) << qint64(1'234'567 * kSecond + 50'000'000) << R"(\d+\.\d{2,3} s)";
    }
    void marksOfAnAxisTellMomentsApart()
    {
        QFETCH(qint64, begin);
        QFETCH(qint64, end);
        QFETCH(QString, shape);
        const std::vector<TimeMark> marks = timeMarks({begin, end}, 900);
        QVERIFY(marks.size() > 2);
        const QRegularExpression expected(QRegularExpression::anchoredPattern(shape));
        QSet<QString> texts;
        for (const TimeMark &mark : marks) {
            QVERIFY2(expected.match(mark.text).hasMatch(), qPrintable(mark.text));
            texts.insert(mark.text);
        }
        QCOMPARE(std::size_t(texts.size()), marks.size());
    }
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-chart"));
        QSettings().clear();
        applyTheme(ThemeKind::Light);
    }
    void init()
    {
        m_window = std::make_unique<MainWindow>(m_log);
        m_window->resize(1300, 900);
        m_window->show();
        show(kSamples);
    }
    void cleanup() { m_window.reset(); }

    void aLaneForEachThreadTheHeaviestOpenAndFirst()
    {
        QCOMPARE(scene().rows.size(), std::size_t(2));
        QCOMPARE(scene().laneOf(scene().rows[0]).name, std::string("worker"));
        QVERIFY(scene().rows[0].isOpen);
        QVERIFY(!scene().rows[0].boxes.empty());
        QVERIFY(scene().placeAt(placeOf("draw")));
    }
    void aClickSelectsTheFunctionEverywhere()
    {
        click(placeOf("draw"));
        QCOMPARE(session().selectedName(), QStringLiteral("draw"));
        QVERIFY(session().selectedEntry());
        QCOMPARE(scene().current, (ChartSample{0, 2}));
        click(placeOf("main"));
        QCOMPARE(session().selectedName(), QStringLiteral("main"));
    }
    void keysStepFromSampleToSample()
    {
        click({static_cast<int>(scene().placeOf(1000000150000000)), placeOf("parse").y()});
        QCOMPARE(scene().current, (ChartSample{0, 1}));
        QTest::keyClick(&view(), Qt::Key_Period);
        QCOMPARE(session().selectedName(), QStringLiteral("draw"));
        QTest::keyClick(&view(), Qt::Key_Comma);
        QCOMPARE(session().selectedName(), QStringLiteral("parse"));
        QTest::keyClick(&view(), Qt::Key_Down);
        QCOMPARE(session().selectedName(), QStringLiteral("idle"));
    }
    void draggingInTheAxisChoosesTheRangeOfAllViews()
    {
        const int left = static_cast<int>(scene().placeOf(1000000200000000)) - 5;
        const int right = static_cast<int>(scene().placeOf(1000000300000000)) + 5;
        QTest::mousePress(view().viewport(), Qt::LeftButton, {}, {left, 8});
        QTest::mouseMove(view().viewport(), {(left + right) / 2, 8});
        QTest::mouseMove(view().viewport(), {right, 8});
        QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, {right, 8});
        settle();
        QVERIFY2(lens().startsWith(QStringLiteral("time=0.1")), qPrintable(lens()));
        QCOMPARE(session().evaluation()->matched, std::int64_t(1));
        QCOMPARE(scene().chart->lanes[0].stacks.size(), std::size_t(4)); // here all stays in sight
        QVERIFY(scene().brushed);
    }
    void keysZoomAndMoveAndEscapeShowsAllAgain()
    {
        const TimeRange all = scene().shown;
        QTest::keyClick(&view(), Qt::Key_W);
        QTest::keyClick(&view(), Qt::Key_W);
        const TimeRange zoomed = scene().shown;
        QVERIFY(zoomed.end - zoomed.begin < (all.end - all.begin) / 2);
        QTest::keyClick(&view(), Qt::Key_D);
        QVERIFY(scene().shown.begin > zoomed.begin);
        QTest::keyClick(&view(), Qt::Key_A);
        QCOMPARE(scene().shown.begin, zoomed.begin);
        QTest::keyClick(&view(), Qt::Key_Escape);
        QCOMPARE(scene().shown, all);
    }
    void aDoubleClickShowsABoxOverTheWholeWidth()
    {
        QTest::mouseDClick(view().viewport(), Qt::LeftButton, {}, placeOf("parse"));
        QVERIFY(scene().shown.begin >= 1000000000000000 - 20000000);
        QVERIFY(scene().shown.end <= 1000000200000000 + 20000000);
    }
    void aClickOnTheNameClosesTheLaneAndOpensIt()
    {
        const QPoint name(60, scene().topOf(scene().rows[0]) + 8);
        click(name);
        QVERIFY(!scene().rows[0].isOpen);
        QVERIFY(scene().placeAt(placeOf("parse"))); // what was innermost
        click(name);
        QVERIFY(scene().rows[0].isOpen);
    }
    void lanesCanBeMadeByAnythingElse()
    {
        QComboBox *lanesBy = page().lanesBy();
        QCOMPARE(lanesBy->itemText(0), QStringLiteral("thread"));
        const int cpu = lanesBy->findText(QStringLiteral("cpu"));
        QVERIFY(cpu > 0);
        lanesBy->setFocus();
        while (lanesBy->currentIndex() < cpu)
            QTest::keyClick(lanesBy, Qt::Key_Down);
        settle();
        EVENTUALLY(scene().chart->key == "cpu");
        QCOMPARE(scene().laneOf(scene().rows[0]).name, std::string("0"));
        QCOMPARE(scene().rows.size(), std::size_t(2));
    }
    void pinnedLanesComeFirst()
    {
        view().togglePin(1);
        QCOMPARE(scene().laneOf(scene().rows[0]).name, std::string("timer"));
        view().togglePin(0);
        QCOMPARE(scene().laneOf(scene().rows[0]).name, std::string("worker"));
        view().setOrder(LaneOrder::ByName);
        QCOMPARE(scene().laneOf(scene().rows[0]).name, std::string("timer"));
    }
    void searchingGoesFromMatchToMatchThroughAllLanes()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(page().search()));
        QTest::keyClicks(page().search(), QStringLiteral("DRAW|idle"));
        QCOMPARE(view().matchingEntries(), std::size_t(2));
        QTest::keyClick(page().search(), Qt::Key_Return);
        QCOMPARE(scene().current, (ChartSample{0, 2}));
        QTest::keyClick(page().search(), Qt::Key_Return);
        QTest::keyClick(page().search(), Qt::Key_Return);
        QCOMPARE(scene().current, (ChartSample{1, 0}));
        QTest::keyClick(page().search(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(scene().current, (ChartSample{0, 3}));
    }
    void dataWithoutTimesSaysSo()
    {
        show("main 1\nmain 2\n");
        EVENTUALLY(!view().isVisible());
        const auto labels = page().findChildren<QLabel *>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel *label) {
            return label->isVisible() &&
                   label->text().contains(QStringLiteral("2 samples of this data have no times"));
        }));
    }
    void theLensDecidesWhatIsInTheChart()
    {
        session().setLens(*parseLens("@thread=timer"));
        settle();
        EVENTUALLY(scene().rows.size() == 1);
        QCOMPARE(scene().laneOf(scene().rows[0]).name, std::string("timer"));
    }
};

QTEST_MAIN(TestTimeChartView)
#include "tst_time_chart_view.moc"
