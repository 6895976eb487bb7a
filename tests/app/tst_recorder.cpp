#include "app/window/application.h"
#include "app/window/recorder.h"
#include "ingest/formats/format.h"
#include "model/store/store.h"
#include "tests/app/stand_in.h"
#include "tests/support/eventually.h"
#include "ui/record/record_dialog.h"
#include "ui/record/record_presets.h"
#include "ui/sources/sources_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/top_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <ranges>

using namespace hearth;

namespace {

/// The window, with a sampler of one's choice.
class Desk {
public:
    explicit Desk(const LaunchPlaces &places)
        : m_instance(m_folder.filePath(QStringLiteral("instance"))),
          m_application(
              m_instance,
              {.host = {}, .port = 0, .path = m_folder.filePath(QStringLiteral("port")).toStdString()},
              places)
    {
        m_application.start({});
        for (QWidget *widget : QApplication::topLevelWidgets())
            if (auto *found = qobject_cast<MainWindow *>(widget))
                window = found;
    }

    void click(const QWidget *among, const QString &text) const
    {
        for (QPushButton *button : among->findChildren<QPushButton *>())
            if (button->text() == text && button->isVisible())
                return QTest::mouseClick(button, Qt::LeftButton);
        QFAIL(qPrintable(text + QStringLiteral(" is no button")));
    }

    /// As a key does that is pressed in the window.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) const
    {
        window->activateWindow();
        EVENTUALLY(window->isActiveWindow());
        QTest::keyClick(window, key, modifiers);
    }

    MainWindow *window = nullptr;

private:
    QTemporaryDir m_folder;
    SingleInstance m_instance;
    Application m_application;
};

LaunchPlaces realAgent()
{
    return {.agent = HEARTH_AGENT, .searchPath = {}, .isRoot = true};
}

/// Why there can be no recording here; empty if there can.
QString obstacle()
{
    const QTemporaryDir folder;
    QProcess agent;
    agent.start(QStringLiteral(HEARTH_AGENT),
                {QStringLiteral("-o"), folder.filePath(QStringLiteral("x.otlp")), QStringLiteral("--for"),
                 QStringLiteral("1ms")});
    constexpr int kPatienceMs = 240'000;
    if (agent.waitForFinished(kPatienceMs) && agent.exitCode() == 0)
        return {};
    return QStringLiteral("the agent cannot record here: ") + QString::fromUtf8(agent.readAllStandardError());
}

bool hasFunction(const Snapshot &snapshot, const std::string &name)
{
    return std::ranges::any_of(
        std::views::iota(std::uint32_t(0), std::uint32_t(snapshot.functions.size())),
        [&](std::uint32_t i) { return snapshot.text(snapshot.functions[i].name) == name; });
}

QString dialogTitle()
{
    const QWidget *dialog = QApplication::activeModalWidget();
    return dialog != nullptr ? dialog->windowTitle() : QString();
}

} // namespace

class TestRecorder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-recorder"));
        qputenv("XDG_STATE_HOME", m_state.path().toLocal8Bit());
        qputenv("XDG_RUNTIME_DIR", m_state.path().toLocal8Bit());
    }
    void init() { QSettings().clear(); }

    void theBarAtTheTopShowsTheRecordingAndStopsIt()
    {
        const StandIn agent(obedientAgent());
        const Desk desk(agent.places());
        TopBar *bar = desk.window->topBar();
        QVERIFY(bar->recordButton()->isVisible() && !bar->stopButton()->isVisible());
        desk.click(desk.window, QStringLiteral("Record everything"));
        EVENTUALLY(bar->recordingText()->text().contains(QStringLiteral("samples/s")));
        QVERIFY(!bar->recordButton()->isVisible() && bar->stopButton()->isVisible());
        QCOMPARE(lastRecordChoice().target, RecordTarget::Machine);
        QTest::mouseClick(bar->stopButton(), Qt::LeftButton);
        EVENTUALLY(bar->recordButton()->isVisible());
        EVENTUALLY(desk.window->messages()->text().contains(QStringLiteral("Nothing was recorded")));
    }
    void theKeyThatStartsStops()
    {
        const StandIn agent(obedientAgent());
        const Desk desk(agent.places());
        desk.press(Qt::Key_R);
        EVENTUALLY_COMPARE(dialogTitle(), QStringLiteral("Record"));
        QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Return);
        EVENTUALLY(desk.window->topBar()->stopButton()->isVisible());
        EVENTUALLY(desk.window->topBar()->recordingText()->text().contains(QStringLiteral("samples/s")));
        desk.press(Qt::Key_R);
        EVENTUALLY(desk.window->topBar()->recordButton()->isVisible());
    }
    void aRememberedWayToRecordIsInTheMenu()
    {
        const StandIn agent(obedientAgent());
        const Desk desk(agent.places());
        saveRecordPreset({QStringLiteral("Slowly"), {.frequency = 7}});
        QMenu *menu = desk.window->topBar()->recordButton()->menu();
        Q_EMIT menu->aboutToShow();
        QCOMPARE(menu->actions().last()->text(), QStringLiteral("Slowly"));
        menu->actions().last()->trigger();
        EVENTUALLY(desk.window->topBar()->recordingText()->text().contains(QStringLiteral("samples/s")));
        QCOMPARE(lastRecordChoice().frequency, 7);
    }
    void theSamplerThatIsWaitedForIsSaidSo()
    {
        const StandIn agent(obedientAgent());
        agent.write(QStringLiteral("pkexec"), QStringLiteral("exec sleep 600"));
        const Desk desk(agent.places(false));
        desk.click(desk.window, QStringLiteral("Record everything"));
        EVENTUALLY_COMPARE(desk.window->topBar()->recordingText()->text(),
                           QStringLiteral("waiting for authorisation"));
        QTest::mouseClick(desk.window->topBar()->stopButton(), Qt::LeftButton);
        EVENTUALLY(desk.window->topBar()->recordButton()->isVisible());
        QVERIFY(!desk.window->messages()->isVisible());
    }
    void everyFailureLeadsToOneThingToDo_data()
    {
        QTest::addColumn<QString>("agentScript");
        QTest::addColumn<QString>("pkexecScript");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("action");
        QTest::newRow("dismissed") << obedientAgent() << "echo Request dismissed >&2; exit 126"
                                   << "was not authorised" << "Try again";
        QTest::newRow("no polkit agent")
            << obedientAgent() << "echo No authentication agent found. >&2; exit 127"
            << "no polkit agent" << "Copy the command";
        QTest::newRow("nobody to ask") << obedientAgent() << "" << "there is no pkexec" << "Copy the command";
        QTest::newRow("failed") << "echo failed the moon is full; exit 125" << "shift; exec \"$@\""
                                << "the moon is full" << "Try again";
        QTest::newRow("process gone") << "echo failed there is no process 5; exit 125" << "shift; exec \"$@\""
                                      << "there is no process 5" << "Choose what to record…";
    }
    void everyFailureLeadsToOneThingToDo()
    {
        QFETCH(QString, agentScript);
        QFETCH(QString, pkexecScript);
        QFETCH(QString, said);
        QFETCH(QString, action);
        const StandIn agent(agentScript);
        if (!pkexecScript.isEmpty())
            agent.write(QStringLiteral("pkexec"), pkexecScript);
        const Desk desk(agent.places(false));
        desk.click(desk.window, QStringLiteral("Record everything"));
        const MessageBar *messages = desk.window->messages();
        EVENTUALLY(messages->text().contains(said));
        QGuiApplication::clipboard()->clear();
        desk.click(messages, action);
        if (action == QLatin1String("Copy the command"))
            QVERIFY(QGuiApplication::clipboard()->text().startsWith(
                QStringLiteral("sudo ") + agent.path(QStringLiteral("hearth-agent"))));
        else if (action == QLatin1String("Try again"))
            EVENTUALLY(messages->isVisible() && messages->text().contains(said)); // it did, in vain
        else
            EVENTUALLY_COMPARE(dialogTitle(), QStringLiteral("Record"));
        if (QWidget *dialog = QApplication::activeModalWidget())
            dialog->close();
    }
    void whatIsMissingFromARecordingIsNoted()
    {
        const StandIn agent(
            QStringLiteral("echo missing CAP_SYSLOG functions of the kernel have no names\n") +
            obedientAgent());
        const Desk desk(agent.places());
        desk.click(desk.window, QStringLiteral("Record everything"));
        EVENTUALLY(desk.window->messages()->text().contains(QStringLiteral("CAP_SYSLOG")));
    }
    void recordingsOneAfterTheOtherAreDataSetsWithNames()
    {
        if (const QString problem = obstacle(); !problem.isEmpty())
            QSKIP(qPrintable(problem));
        const Desk desk(realAgent());
        rememberRecordChoice({.target = RecordTarget::Command,
                              .command = QStringLiteral(KNOWN_PROGRAMS "/known-calls recurse 3"),
                              .frequency = 500},
                             {});
        desk.press(Qt::Key_R);
        EVENTUALLY_COMPARE(dialogTitle(), QStringLiteral("Record"));
        QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Return);
        EVENTUALLY(desk.window->windowTitle().contains(QStringLiteral("known-calls recurse 3, ")));
        QVERIFY(desk.window->windowTitle().startsWith(QStringLiteral("record of ")));
        QVERIFY(hasFunction(*desk.window->session().snapshot(), "recurse"));
        QVERIFY(!desk.window->session().isLive());
        const auto first = desk.window->session().snapshot();

        desk.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        EVENTUALLY(desk.window->topBar()->recordButton()->isVisible() &&
                   desk.window->session().snapshot() != first && !desk.window->session().isLive());
        const QString file = m_state.filePath(QStringLiteral("recorded.otlp.zst"));
        Q_EMIT desk.window->saveRequested(Lens(), file);
        EVENTUALLY(desk.window->messages()->text().contains(file));
        Store saved;
        saved.append(readProfile(file.toStdString()).value());
        QCOMPARE(saved.publish()->sampleCount(), desk.window->session().snapshot()->sampleCount());
        Q_EMIT desk.window->saveRequested(Lens(), m_state.filePath(QStringLiteral("recorded.doc")));
        EVENTUALLY(desk.window->messages()->text().contains(QStringLiteral("does not tell a format")));

        const SourcesModel *rows = desk.window->sources()->rows();
        int sources = 0;
        for (int row = 0; row < rows->rowCount(); ++row)
            sources += rows->row(row).kind == SourcesModel::RowKind::Source ? 1 : 0;
        QCOMPARE(sources, 2);
    }
    void theFlameGraphGrowsWhileItIsRecorded()
    {
        if (const QString problem = obstacle(); !problem.isEmpty())
            QSKIP(qPrintable(problem));
        const Desk desk(realAgent());
        desk.click(desk.window, QStringLiteral("Record everything"));
        EVENTUALLY(desk.window->session().snapshot() != nullptr);
        QVERIFY(desk.window->session().isLive());
        const std::uint64_t before = desk.window->session().snapshot()->sampleCount();
        EVENTUALLY(desk.window->session().snapshot()->sampleCount() > before);
        QVERIFY(QDirIterator(m_state.path(), {QStringLiteral("*.otlp.zst")}, QDir::Files,
                             QDirIterator::Subdirectories)
                    .hasNext()); // what a crash would leave
        desk.click(desk.window, QStringLiteral("Stop"));
        EVENTUALLY(!desk.window->session().isLive());
        QVERIFY(desk.window->windowTitle().startsWith(QStringLiteral("record of this machine, ")));
    }

private:
    QTemporaryDir m_state;
};

QTEST_MAIN(TestRecorder)
#include "tst_recorder.moc"
