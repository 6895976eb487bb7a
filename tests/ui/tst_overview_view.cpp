#include "model/lens/lens_text.h"
#include "tests/support/eventually.h"
#include "tests/support/profile_text.h"
#include "ui/log/log_model.h"
#include "ui/overview/overview_view.h"
#include "ui/overview/ranked_list.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

#include <QLabel>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

using namespace hearth;

namespace {

const char *const kProfile = "series: wall/nanoseconds cpu/nanoseconds\n"
                             "main[app];parse[app] 500,500 | thread=worker @1000000000000\n"
                             "main[app];[/usr/lib/libfoo.so] 300,300 | thread=worker @1000100000000\n"
                             "main[app];draw[app] 900,200 | thread=ui @1060000000000\n";

} // namespace

/// The first tab as people use it: with the mouse and with keys.
class TestOverviewView : public QObject {
    Q_OBJECT

    LogModel m_log;
    std::unique_ptr<MainWindow> m_window;

    OverviewView &view() { return *m_window->overview(); }
    Session &session() { return m_window->session(); }
    QWidget *current() { return m_window->views()->currentWidget(); }
    static QString cell(const RankedList &list, int row, int column)
    {
        return list.table()->model()->index(row, column).data().toString();
    }
    static void openRow(const RankedList &list, int row)
    {
        const QPoint place = list.table()->visualRect(list.table()->model()->index(row, 0)).center();
        QTest::mouseClick(list.table()->viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(list.table()->viewport(), Qt::LeftButton, {}, place);
    }
    /// What its link does, as the label reports it.
    void follow(AdviceKind kind)
    {
        const auto &all = view().overview()->advice;
        const auto advice = std::ranges::find(all, kind, &Advice::kind);
        QVERIFY(advice != all.end());
        Q_EMIT view().advice()->linkActivated(QString::number(advice - all.begin()));
    }
    void show(std::string_view profile)
    {
        m_window->showDataSet(test::snapshotOf(profile), QStringLiteral("checkout.pb.gz"));
        m_window->views()->setCurrentWidget(&view());
        EVENTUALLY(!session().isEvaluating() && view().overview() &&
                   view().overview()->snapshot == session().snapshot());
    }

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-overview"));
        QSettings().clear();
        applyTheme(ThemeKind::Light);
    }
    void init()
    {
        m_window = std::make_unique<MainWindow>(m_log);
        m_window->resize(1300, 1000);
        m_window->show();
        show(kProfile);
    }
    void cleanup() { m_window.reset(); }

    void itIsTheFirstTab() { QCOMPARE(m_window->views()->widget(0), &view()); }
    void theHottestOfEverythingIsListed()
    {
        QCOMPARE(cell(*view().functions(), 0, 0), QStringLiteral("parse"));
        QCOMPARE(cell(*view().functions(), 0, 2), QStringLiteral("50.0\u202f%"));
        QCOMPARE(cell(*view().binaries(), 0, 0), QStringLiteral("app"));
        QCOMPARE(cell(*view().attributes(0), 0, 0), QStringLiteral("worker"));
        QVERIFY(!view().attributes(1)->isVisible());
    }
    void aClickSelectsAFunctionAndTwoLeadToItsFlames()
    {
        const QPoint place = view()
                                 .functions()
                                 ->table()
                                 ->visualRect(view().functions()->table()->model()->index(1, 0))
                                 .center();
        QTest::mouseClick(view().functions()->table()->viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(session().selectedName(), cell(*view().functions(), 1, 0));
        QCOMPARE(current(), &view());
        openRow(*view().functions(), 1);
        QVERIFY(current() != &view());
        QCOMPARE(m_window->views()->tabText(m_window->views()->currentIndex()),
                 QStringLiteral("Flame graph"));
    }
    void theKeyboardLeadsThereToo()
    {
        view().functions()->table()->setFocus();
        QTest::keyClick(view().functions()->table(), Qt::Key_Down);
        QTest::keyClick(view().functions()->table(), Qt::Key_Return);
        QVERIFY(current() != &view());
        QVERIFY(!session().selectedName().isEmpty());
    }
    void aBinaryIsShownAlone()
    {
        int row = 0;
        while (cell(*view().binaries(), row, 0) != QStringLiteral("libfoo.so"))
            ++row;
        openRow(*view().binaries(), row);
        EVENTUALLY(!session().isEvaluating() && session().evaluation()->matched == 300);
    }
    void aThreadIsShownAlone()
    {
        openRow(*view().attributes(0), 1);
        EVENTUALLY(!session().isEvaluating() && session().evaluation()->matched == 200);
        QCOMPARE(printLens(session().lens()), std::string("@thread=ui"));
    }
    void anotherSeriesIsLookedAtHere()
    {
        openRow(*view().series(), 0);
        EVENTUALLY(!session().isEvaluating() && view().overview()->evaluation->matched == 1700);
        QCOMPARE(current(), &view());
        QCOMPARE(cell(*view().functions(), 0, 0), QStringLiteral("draw"));
    }
    void missingNamesLeadToTheExecutables()
    {
        follow(AdviceKind::Names);
        QCOMPARE(m_window->views()->tabText(m_window->views()->currentIndex()),
                 QStringLiteral("Executables"));
    }
    void aHotFunctionLeadsToItsCallers()
    {
        follow(AdviceKind::Function);
        QCOMPARE(m_window->views()->tabText(m_window->views()->currentIndex()), QStringLiteral("Callers"));
        QCOMPARE(session().selectedName(), QStringLiteral("parse"));
    }
    void aBurstLeadsToItsTime()
    {
        follow(AdviceKind::Time);
        EVENTUALLY(!session().isEvaluating() && session().evaluation()->matched == 800);
    }
    void adviceIsPlainTextWhateverNamesAre()
    {
        show("<b&evil 1000\n");
        const QString text = view().advice()->text();
        QVERIFY2(text.contains(QStringLiteral("&lt;b&amp;evil itself")), qPrintable(text));
    }
    void nothingToLookAtIsNoFault()
    {
        show("series: cpu/nanoseconds\n");
        QVERIFY(!view().functions()->isVisible());
        QVERIFY(!view().advice()->isVisible());
        QVERIFY(m_window->grab().toImage().width() > 0);
    }
    void itIsMadeWhenItIsLookedAtAndNotBefore()
    {
        const auto before = view().overview();
        m_window->views()->setCurrentIndex(1);
        session().setLens(*parseLens("parse"));
        EVENTUALLY(!session().isEvaluating() && session().evaluation()->matched == 500);
        QCOMPARE(view().overview(), before);
        m_window->views()->setCurrentWidget(&view());
        EVENTUALLY(view().overview() != before);
        QCOMPARE(view().overview()->evaluation->matched, 500);
    }
};

QTEST_MAIN(TestOverviewView)
#include "tst_overview_view.moc"
