#include "app/demo/demo.h"
#include "app/window/data_sets.h"
#include "app/window/single_instance.h"
#include "ingest/journal/journal.h"
#include "model/store/store.h"
#include "model/views/evaluator.h"
#include "model/views/time_range.h"
#include "tests/app/desk.h"
#include "tests/support/eventually.h"
#include "ui/code/code_view.h"
#include "ui/code/source_side.h"
#include "ui/settings/settings.h"

#include <QAction>
#include <QApplication>
#include <QLocalSocket>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <thread>

using namespace hearth;

namespace {

std::shared_ptr<const Snapshot> demo()
{
    Store store;
    store.append(demoBatch());
    return store.publish();
}

/// As a process leaves its journal that is killed.
void leaveUnfinishedRun()
{
    QFile file(QStringLiteral(HEARTH_TEST_DATA "/otlp/v1.11.0-protoc.pb"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    const pid_t child = ::fork();
    if (child == 0) {
        const auto journal = Journal::open({.directory = journalDirectory()});
        const std::span message(reinterpret_cast<const std::uint8_t *>(bytes.data()),
                                static_cast<std::size_t>(bytes.size()));
        ::_exit(journal && (*journal)->append(Journal::record(message)) ? 0 : 1);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
}

} // namespace

class TestWindowProgram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-program"));
        QSettings().clear();
    }
    void aSecondProgramHandsItsFilesToTheFirst()
    {
        const QTemporaryDir folder;
        const QString name = folder.filePath(QStringLiteral("socket"));
        QVERIFY(!SingleInstance(name).handOver({QStringLiteral("/a")})); // nobody is there
        SingleInstance first(name);
        QCOMPARE(first.listen(), QString());
        QSignalSpy received(&first, &SingleInstance::filesReceived);
        bool wasTaken = false;
        std::jthread second([&] {
            wasTaken = SingleInstance(name).handOver({QStringLiteral("/a b"), QStringLiteral("/\u00e4")});
        });
        EVENTUALLY_COMPARE(received.size(), 1);
        second.join();
        QVERIFY(wasTaken);
        QCOMPARE(received[0][0].toStringList(),
                 QStringList({QStringLiteral("/a b"), QStringLiteral("/\u00e4")}));
        QVERIFY(!SingleInstance(name).listen().isEmpty());
    }
    void aCrashedProgramDoesNotKeepTheNextFromListening()
    {
        const QTemporaryDir folder;
        const QString name = folder.filePath(QStringLiteral("socket"));
        QFile left(name);
        QVERIFY(left.open(QIODevice::WriteOnly));
        left.close();
        SingleInstance instance(name);
        QCOMPARE(instance.listen(), QString());
    }
    void garbageOnTheSocketOpensNothing()
    {
        const QTemporaryDir folder;
        const QString name = folder.filePath(QStringLiteral("socket"));
        SingleInstance instance(name);
        QCOMPARE(instance.listen(), QString());
        QSignalSpy received(&instance, &SingleInstance::filesReceived);
        QLocalSocket socket;
        socket.connectToServer(name);
        socket.write(QByteArray(2 << 20, 'x'));
        EVENTUALLY_COMPARE(socket.state(), QLocalSocket::UnconnectedState);
        QCOMPARE(received.size(), 0);
    }
    void theDemoIsTheSameEveryTimeAndHasAllThatViewsShow()
    {
        const auto snapshot = demo();
        QCOMPARE(snapshot->sampleCount(), demo()->sampleCount());
        QVERIFY(snapshot->sampleCount() > 10'000);
        const auto evaluation = Evaluator().evaluate(snapshot, {}).value();
        QCOMPARE(evaluation->series.name(), std::string("cpu/nanoseconds"));
        QCOMPARE(evaluation->matched, evaluation->total);
        const auto span = timeSpanOf(*snapshot);
        QVERIFY(span.has_value());
        QCOMPARE((span->end - span->begin) / 1'000'000'000, std::int64_t(119));
        QVERIFY(!snapshot->losses.any());
        QVERIFY(snapshot->spans.rows > 500);
        QVERIFY(snapshot->links.size() > snapshot->spans.rows); // each span has an id of its own
    }
    void whatAKilledRunReceivedIsOfferedAndOpened()
    {
        const QTemporaryDir state;
        qputenv("XDG_STATE_HOME", state.path().toLocal8Bit());
        leaveUnfinishedRun();
        QCOMPARE(unfinishedRuns(journalDirectory()).size(), std::size_t(1));
        const Desk desk;
        MainWindow *const window = &desk.window();
        EVENTUALLY(window->messages()->isVisible());
        QVERIFY(window->messages()->text().contains(QStringLiteral("still there")));
        for (QPushButton *button : window->messages()->findChildren<QPushButton *>())
            if (button->text() == QLatin1String("Open it"))
                QTest::mouseClick(button, Qt::LeftButton);
        EVENTUALLY_COMPARE(window->windowTitle(), QStringLiteral("Earlier run – Hearth"));
        QVERIFY(window->session().snapshot()->sampleCount() > 0);
        QVERIFY(unfinishedRuns(journalDirectory()).empty());
        QVERIFY(recentFiles().isEmpty());
    }
    void aSourceThatIsElsewhereIsAskedForOnce()
    {
        const QTemporaryDir folder;
        const auto write = [&](const QString &name, const char *text) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        write(QStringLiteral("callgrind.out.1"), "events: Ir\nfl=/gone/app/parse.c\nfn=parse\n2 10\n");
        write(QStringLiteral("parse.c"), "/* of */\nint parse;\n");
        const Desk desk({folder.filePath(QStringLiteral("callgrind.out.1"))});
        MainWindow *const window = &desk.window();
        EVENTUALLY(window->session().evaluation() && !window->session().isEvaluating());
        window->session().selectName("parse");
        CodeView &code = *window->code();
        window->commands()[QStringLiteral("show-code")]->trigger();
        EVENTUALLY(code.sourceSide()->findButton()->isVisible());
        Q_EMIT window->sourceFolderChosen(QStringLiteral("/gone/app/parse.c"), folder.path());
        EVENTUALLY(code.isShowing() && !code.sourceSide()->findButton()->isVisible());
        QCOMPARE(code.source()->textOf(1), QStringLiteral("int parse;"));
        QCOMPARE(Settings::load().sourcePlaces, QStringList(QStringLiteral("/gone/app=") + folder.path()));
        Q_EMIT window->sourceFolderChosen(QStringLiteral("/gone/app/lex.c"), folder.path());
        EVENTUALLY(window->messages()->text().contains(QStringLiteral("There is no lex.c")));
    }
    void dataSetsComeAndGo()
    {
        DataSets dataSets;
        QSignalSpy changes(&dataSets, &DataSets::listChanged);
        const QString id = dataSets.add(QStringLiteral("demo"), {}, false, demo());
        QCOMPARE(dataSets.sources().size(), 1);
        QVERIFY(dataSets.sources()[0].figure.endsWith(QLatin1Char('k')));
        QVERIFY(dataSets.find(id) != nullptr);
        dataSets.remove(id);
        QVERIFY(dataSets.find(id) == nullptr);
        QCOMPARE(changes.size(), 2);
        dataSets.remove(id);
        QCOMPARE(changes.size(), 2);
    }
};

QTEST_MAIN(TestWindowProgram)
#include "tst_window_program.moc"
