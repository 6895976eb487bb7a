#include "model/lens/lens_text.h"
#include "tests/support/eventually.h"
#include "tests/support/profile_text.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/difference_model.h"
#include "ui/flame/flame_view.h"
#include "ui/log/log_model.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

using namespace hearth;

namespace {

const char *const kBefore = "main;parse 100\n"
                            "main;draw 300\n"
                            "main;gone 40\n";
const char *const kAfter = "main;parse 200\n"
                           "main;draw 305\n"
                           "main;added 30\n";

} // namespace

/// The Compare tab as people use it: with the mouse and with keys.
class TestCompare : public QObject {
    Q_OBJECT

    LogModel m_log;
    std::unique_ptr<MainWindow> m_window;

    CompareView &view() { return *m_window->compare(); }
    Session &session() { return m_window->session(); }
    const DifferenceModel &rows() { return static_cast<const DifferenceModel &>(*view().table()->model()); }
    bool isDone() { return !session().isEvaluating() && !view().isComparing(); }
    QPushButton *button(const QString &text)
    {
        for (auto *each : view().findChildren<QPushButton *>())
            if (each->text() == text)
                return each;
        return nullptr;
    }
    QString nameAt(int row) { return rows().index(row, DifferenceModel::Name).data().toString(); }
    QString cell(int row, DifferenceModel::Column column)
    {
        return rows().index(row, column).data().toString();
    }
    QStringList namesOfTable()
    {
        QStringList names;
        for (int row = 0; row < rows().rowCount(); ++row)
            names += nameAt(row);
        return names;
    }
    NodeId nodeCalled(std::string_view name)
    {
        const CallTree &tree = *view().difference()->tree;
        for (std::size_t i = 1; i < tree.nodeCount(); ++i)
            if (tree.entries()[tree.entryOf(NodeId(i))].name == name)
                return NodeId(i);
        return NodeId::none();
    }
    /// The colour in the middle of the box of a function, where its label is not.
    QColor colorOf(std::string_view name)
    {
        const FlameScene &scene = view().flames()->scene();
        for (std::size_t row = 0; row < scene.layout->rows.size(); ++row)
            for (const FlameBox &box : scene.layout->rows[row])
                if (scene.entryOf(box.node).name == name) {
                    const QRect rect = view().flames()->rectOf(row, box);
                    const QImage image = view().flames()->viewport()->grab().toImage();
                    return image.pixelColor(rect.left() + rect.width() - 6, rect.top() + 3);
                }
        return {};
    }
    void compareFiles()
    {
        m_window->compareWith(test::snapshotOf(kBefore), QStringLiteral("before"));
        EVENTUALLY(isDone() && view().difference());
    }

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-compare"));
        QSettings().clear();
        applyTheme(ThemeKind::Light);
    }
    void init()
    {
        m_window = std::make_unique<MainWindow>(m_log);
        Settings settings;
        settings.reducedMotion = true;
        m_window->applySettings(settings);
        m_window->resize(1300, 800);
        m_window->show();
        m_window->showDataSet(test::snapshotOf(kAfter), QStringLiteral("after"));
        m_window->views()->setCurrentWidget(&view());
        EVENTUALLY(isDone());
    }
    void cleanup() { m_window.reset(); }

    void withoutABaselineItSaysHowToChooseOne()
    {
        QVERIFY(!view().difference());
        const auto labels = view().findChildren<QLabel *>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel *label) {
            return label->isVisible() && label->text().contains(QStringLiteral("press B"));
        }));
    }
    void anotherDataSetIsTheBaselineThatIsChosen()
    {
        m_window->setDataSets({{QStringLiteral("1"), QStringLiteral("after"), {}, {}, false},
                               {QStringLiteral("2"), QStringLiteral("before"), {}, {}, false}},
                              QStringLiteral("1"));
        QSignalSpy requested(m_window.get(), &MainWindow::baselineRequested);
        QMenu *menu = view().baseButton()->menu();
        Q_EMIT menu->aboutToShow();
        QStringList titles;
        for (QAction *action : menu->actions()) {
            titles += action->text();
            if (action->text() == QStringLiteral("before"))
                action->trigger();
        }
        QVERIFY(!titles.contains(QStringLiteral("after")));
        QCOMPARE(requested.value(0), QVariantList{QStringLiteral("2")});
    }
    void aValueOfAnAttributeIsComparedWithTheOthers()
    {
        m_window->showDataSet(test::snapshotOf("main;work 40 | version=1\nmain;work 90 | version=2\n"),
                              QStringLiteral("versions"));
        session().setLens(*parseLens("@version=2"));
        EVENTUALLY(isDone());
        QMenu *menu = view().baseButton()->menu();
        Q_EMIT menu->aboutToShow();
        for (QAction *action : menu->actions())
            if (action->text() == QStringLiteral("Instead: -@version=2"))
                action->trigger();
        EVENTUALLY(isDone() && view().difference());
        QCOMPARE(view().difference()->whole().base, std::int64_t(40));
        QCOMPARE(view().difference()->whole().current, std::int64_t(90));
    }
    void bothSidesAndTheirDifferenceAreNamed()
    {
        compareFiles();
        QVERIFY2(view().summary()->text().contains(QStringLiteral("A 440 → B 535")),
                 qPrintable(view().summary()->text()));
        QVERIFY(view().baseButton()->text().startsWith(QStringLiteral("A  before")));
        QVERIFY(m_window->grab().toImage().width() > 0);
    }
    void whatGrewAndWhatShrankHasItsColour()
    {
        compareFiles();
        const QColor grown = colorOf("parse");
        const QColor shrunk = colorOf("gone");
        const QColor chance = colorOf("draw");
        QVERIFY2(grown.red() > grown.blue() + 30, qPrintable(grown.name()));
        QVERIFY2(shrunk.blue() > shrunk.red() + 30, qPrintable(shrunk.name()));
        QVERIFY2(std::abs(chance.red() - chance.blue()) < 12, qPrintable(chance.name()));
        QVERIFY(view().difference()->total[nodeCalled("added").value].isNew());
    }
    void boxesHaveRoomForBothSides()
    {
        compareFiles();
        const FlameScene &scene = view().flames()->scene();
        QVERIFY(scene.difference);
        QCOMPARE(scene.evaluation->tree->total(nodeCalled("draw")), std::int64_t(605));
        QCOMPARE(scene.evaluation->tree->total(nodeCalled("gone")), std::int64_t(40));
    }
    void xSwapsTheSides()
    {
        compareFiles();
        QTest::keyClick(m_window.get(), Qt::Key_X);
        EVENTUALLY(isDone() && view().isSwapped());
        EVENTUALLY(view().difference()->whole().base == 535);
        QVERIFY(view().baseButton()->text().startsWith(QStringLiteral("B  before")));
        QVERIFY(view().difference()->total[nodeCalled("added").value].isGone());
    }
    void bKeepsWhatIsLookedAtAndTheLensGoesOn()
    {
        m_window->views()->setCurrentIndex(0);
        session().setLens(*parseLens("parse"));
        EVENTUALLY(isDone());
        QTest::keyClick(m_window.get(), Qt::Key_B);
        session().setLens(*parseLens("draw"));
        m_window->views()->setCurrentWidget(&view());
        EVENTUALLY(isDone() && view().difference());
        QCOMPARE(view().difference()->whole().base, std::int64_t(200));
        QCOMPARE(view().difference()->whole().current, std::int64_t(305));
        session().setLens({});
        EVENTUALLY(isDone() && view().difference()->whole().current == 535);
        QCOMPARE(view().difference()->whole().base, std::int64_t(200));
    }
    void aRecordingIsRepeatedAndCompared()
    {
        m_window->showDataSet(test::snapshotOf("period: cpu/nanoseconds 10\n"
                                               "main;work 4 | @1000000000\nmain;work 4 | @2000000000\n"),
                              QStringLiteral("first"));
        QSignalSpy requested(m_window.get(), &MainWindow::recordRequested);
        m_window->commands()[QStringLiteral("record-again-compare")]->trigger();
        QCOMPARE(requested.size(), 1);
        // The recording that begins is shown: twice as long, and as much work a second.
        m_window->showDataSet(test::snapshotOf("period: cpu/nanoseconds 10\n"
                                               "main;work 8 | @1000000000\nmain;work 8 | @3000000000\n"),
                              QStringLiteral("second"));
        QCOMPARE(m_window->views()->currentWidget(), static_cast<QWidget *>(&view()));
        EVENTUALLY(isDone() && view().difference() && view().difference()->scaling.factor == 0.5);
        QCOMPARE(view().difference()->whole().base, std::int64_t(8));
        QCOMPARE(view().difference()->whole().current, std::int64_t(8));
    }
    void theTableListsWhatChangedMostFirst()
    {
        compareFiles();
        QTest::mouseClick(button(QStringLiteral("Table")), Qt::LeftButton);
        QVERIFY(view().table()->isVisible());
        QCOMPARE(namesOfTable(),
                 QStringList({QStringLiteral("parse"), QStringLiteral("gone"), QStringLiteral("added"),
                              QStringLiteral("draw"), QStringLiteral("main")}));
        QCOMPARE(cell(0, DifferenceModel::SelfChange), QStringLiteral("+100"));
        QCOMPARE(cell(1, DifferenceModel::Verdict), QStringLiteral("gone"));
        QCOMPARE(cell(2, DifferenceModel::SelfGrowth), QStringLiteral("new"));
        QCOMPARE(cell(3, DifferenceModel::Verdict), QStringLiteral("chance"));
    }
    void whatMayBeChanceCanBeHidden()
    {
        compareFiles();
        QTest::mouseClick(button(QStringLiteral("Table")), Qt::LeftButton);
        QTest::mouseClick(view().noiseButton(), Qt::LeftButton);
        EVENTUALLY(isDone());
        QVERIFY2(!namesOfTable().contains(QStringLiteral("draw")), qPrintable(namesOfTable().join(u' ')));
        QVERIFY(namesOfTable().contains(QStringLiteral("parse")));
    }
    void whatIsTypedFiltersTheTable()
    {
        compareFiles();
        QTest::mouseClick(button(QStringLiteral("Table")), Qt::LeftButton);
        QTest::keyClicks(view().search(), QStringLiteral("ADD"));
        EVENTUALLY(isDone());
        QCOMPARE(namesOfTable(), QStringList(QStringLiteral("added")));
    }
    void aScaleOfSharesMakesBothSidesAlike()
    {
        compareFiles();
        QMenu *menu = view().scaleButton()->menu();
        Q_EMIT menu->aboutToShow();
        for (QAction *action : menu->actions())
            if (action->text() == QStringLiteral("by total"))
                action->trigger();
        EVENTUALLY(isDone() && view().difference()->scaling.isOfShares);
        QVERIFY2(view().summary()->text().contains(QStringLiteral("B times 0.8224")),
                 qPrintable(view().summary()->text()));
    }
    void bothFlameGraphsStandSideBySide()
    {
        compareFiles();
        QTest::mouseClick(button(QStringLiteral("Side by side")), Qt::LeftButton);
        QVERIFY(view().leftFlames()->isVisible() && view().rightFlames()->isVisible());
        QCOMPARE(view().leftFlames()->scene().evaluation->matched, 440);
        QCOMPARE(view().rightFlames()->scene().evaluation->matched, 535);
        QTest::keyClick(m_window.get(), Qt::Key_X);
        EVENTUALLY(isDone());
        QCOMPARE(view().leftFlames()->scene().evaluation->matched, 535);
    }
    void theSidesAreDrawnFromTheRootsWhateverTheLens()
    {
        compareFiles();
        Lens lens = session().lens();
        lens.isInverted = true;
        session().setLens(lens);
        QTest::mouseClick(button(QStringLiteral("Side by side")), Qt::LeftButton);
        EVENTUALLY(isDone());
        QVERIFY(!view().leftFlames()->scene().isInverted && !view().rightFlames()->scene().isInverted);
    }
    void aFunctionIsSelectedEverywhereAtOnce()
    {
        compareFiles();
        view().flames()->select(nodeCalled("draw"));
        QCOMPARE(session().selectedName(), QStringLiteral("draw"));
        session().selectName("parse");
        QCOMPARE(view().flames()->scene().selectedEntry,
                 std::optional(view().difference()->tree->entryOf(nodeCalled("parse"))));
    }
    void whatCannotBeComparedIsSaid()
    {
        m_window->compareWith(test::snapshotOf("series: space/bytes\nmain 5\n"), QStringLiteral("other"));
        EVENTUALLY(isDone());
        QVERIFY(!view().difference());
        const auto labels = view().findChildren<QLabel *>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel *label) {
            return label->isVisible() && label->text().contains(QStringLiteral("cannot be compared"));
        }));
    }
    void nothingOnBothSidesIsNoFault()
    {
        compareFiles();
        session().setLens(*parseLens("nosuchfunction"));
        EVENTUALLY(isDone() && view().difference() && view().difference()->whole().current == 0);
        QVERIFY(m_window->grab().toImage().width() > 0);
    }
};

QTEST_MAIN(TestCompare)
#include "tst_compare.moc"
