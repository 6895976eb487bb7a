#include "model/lens/lens_text.h"
#include "tests/support/eventually.h"
#include "tests/support/profile_text.h"
#include "ui/flamescope/scope_view.h"
#include "ui/log/log_model.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTest>

using namespace hearth;

namespace {

const char *const kSamples = "period: cpu/nanoseconds 10000000\n"
                             "main;parse 7 | @1000000000000000\n"
                             "main;draw 2 | @1000000010000000\n"
                             "main;parse 1 | @1000030980000000\n";

} // namespace

/// The FlameScope tab as people use it: with the mouse and with keys.
class TestFlameScopeView : public QObject {
    Q_OBJECT

    LogModel m_log;
    std::unique_ptr<MainWindow> m_window;

    ScopeView &view() { return *m_window->scope(); }
    Session &session() { return m_window->session(); }
    const ScopeScene &scene() { return view().scene(); }
    QString lens() { return QString::fromStdString(printLens(session().lens())); }
    QPoint placeOf(std::size_t column, std::size_t row)
    {
        return scene().rectOf(column * scene().scope->rows + row).center().toPoint();
    }
    void show(const char *samples)
    {
        m_window->showDataSet(test::snapshotOf(samples), QStringLiteral("test"));
        m_window->views()->setCurrentWidget(&view());
        EVENTUALLY(!session().isEvaluating() && !view().isBusy() && scene().scope);
    }

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-scope"));
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

    void columnsAreSecondsAndCellsHundredthsAtMost()
    {
        QCOMPARE(scene().scope->columns, std::size_t(31));
        QCOMPARE(scene().scope->rows, std::size_t(50));
        QCOMPARE(scene().cellAt(placeOf(30, 49)), std::optional<std::size_t>(30 * 50 + 49));
    }
    void twoClicksChooseARangeOfAllViews()
    {
        QTest::mouseClick(&view(), Qt::LeftButton, {}, placeOf(0, 1));
        QCOMPARE(lens(), QString());
        QVERIFY(scene().first);
        QTest::mouseClick(&view(), Qt::LeftButton, {}, placeOf(0, 0)); // in either order
        EVENTUALLY(!session().isEvaluating());
        QCOMPARE(lens(), QStringLiteral("time=0s..0.04s"));
        QCOMPARE(session().evaluation()->matched, std::int64_t(9));
        QVERIFY(scene().brushed);
        QTest::keyClick(&view(), Qt::Key_Escape);
        QCOMPARE(lens(), QString());
    }
    void aDragChoosesARangeToo()
    {
        QTest::mousePress(&view(), Qt::LeftButton, {}, placeOf(30, 10));
        QTest::mouseMove(&view(), placeOf(30, 30));
        QTest::mouseRelease(&view(), Qt::LeftButton, {}, placeOf(30, 49));
        EVENTUALLY(!session().isEvaluating());
        QCOMPARE(session().evaluation()->matched, std::int64_t(1));
        QVERIFY2(lens().startsWith(QStringLiteral("time=30.2s")), qPrintable(lens()));
    }
    void keysChooseARangeAsWell()
    {
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Right);
        QTest::keyClick(&view(), Qt::Key_Left);
        QTest::keyClick(&view(), Qt::Key_Return);
        QTest::keyClick(&view(), Qt::Key_Up);
        QTest::keyClick(&view(), Qt::Key_Return);
        QCOMPARE(lens(), QStringLiteral("time=0s..0.04s"));
        QVERIFY(!view().accessibleDescription().isEmpty());
    }
    void theLensDecidesWhatIsCounted()
    {
        session().setLens(*parseLens("draw"));
        EVENTUALLY(!view().isBusy() && scene().scope->peak == 2);
    }
    void dataWithoutTimesSaysSo()
    {
        show("main 1\nmain 2\n");
        QVERIFY(view().message().contains(QStringLiteral("2 samples of this data have no times")));
    }
};

QTEST_MAIN(TestFlameScopeView)
#include "tst_flame_scope_view.moc"
